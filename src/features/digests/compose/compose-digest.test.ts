// Digests of invented weeks: what rose, what is new, what repeats, and quotes; and that chance alone is not reported.
import { describe, expect, test } from "vitest";
import { fallProbability, riseProbability } from "../../../analysis/exact-test.ts";
import { surprise, tailProbability } from "../../../analysis/poisson.ts";
import {
  type DailyCount,
  type DigestReview,
  digestSchema,
} from "../../../domain/changes/digest.ts";
import { addDays } from "../../../lib/timestamp.ts";
import { composeDigest, type DigestInput } from "./compose-digest.ts";
import { listDays } from "./spikes.ts";

const range = { from: "2026-11-14", to: "2026-11-20" };
const baseline = { from: "2026-10-17", to: "2026-11-13" };

const daily = (subject: DailyCount["subject"], value: string, before: number, now: number) => {
  const negativeOf = (total: number) => (subject === "topic" ? total : 0);
  const dayOf = (total: number) => (day: string) => ({
    ...{ subject, value, day, total, negative: negativeOf(total) },
  });
  return [...listDays(baseline).map(dayOf(before)), ...listDays(range).map(dayOf(now))];
};

let count = 0;
function aText(text: string, overrides: Partial<DigestReview> = {}): DigestReview {
  count += 1;
  return {
    id: `review-${String(count).padStart(5, "0")}`,
    rating: 2,
    title: null,
    text,
    author: "riverstone",
    translatedText: null,
    version: "4.2",
    country: "us",
    date: new Date(Date.parse("2026-11-15T08:00:00Z") + count * 60_000),
    language: "en",
    sentiment: "negative",
    score: -0.6,
    topics: [],
    ...overrides,
  };
}

const words = (
  "tide chart moon harbour buoy lantern anchor ferry gull reef sail rope reads shows loses paints keeps " +
  "hides draws counts slowly badly early never always morning evening winter summer north south deep shallow"
).split(" ");
const random = makeRandom(3);

/** Words that few other sentences share. */
function aSentence(wordCount = 10): string {
  return Array.from({ length: wordCount }, () => words[Math.floor(random() * words.length)]).join(
    " ",
  );
}

function compose(input: Partial<DigestInput>) {
  return composeDigest({
    app: { id: "app", name: "Tidepool", store: "appstore" },
    kind: "week",
    version: null,
    range,
    baseline,
    counts: daily("reviews", "", 10, 10),
    stars: [0, 0, 70, 0, 0],
    verdicts: [],
    starsBefore: [0, 0, 0, 280, 0],
    reviews: [],
    reviewsBefore: [],
    ...input,
  });
}

describe("spikes", () => {
  test("a topic that rises sixfold is one, and its sentence names both counts", () => {
    const digest = compose({
      counts: [...daily("reviews", "", 10, 10), ...daily("topic", "crash", 1, 6)],
    });
    expect(digest.spikes).toMatchObject([
      { subject: "topic", value: "crash", count: 42, expected: 7 },
    ]);
    expect(digest.sentences[1]).toBe(
      "42 of 70 reviews complain about crashes: 60% now, 28 of 280 before.",
    );
  });

  test("a topic that only grows with the number of reviews is none; the reviews are", () => {
    const digest = compose({
      counts: [...daily("reviews", "", 10, 40), ...daily("topic", "crash", 1, 4)],
    });
    expect(digest.spikes).toMatchObject([{ subject: "reviews", count: 280, expected: 70 }]);
    expect(digest.sentences[0]).toBe(
      "From 14 Nov to 20 Nov there were 280 reviews, 4.0 times as many as usual, with 3.00 stars on average (4.00 before).",
    );
  });

  test("four reviews are none, however rare the topic was", () => {
    const once = { subject: "topic", value: "battery", day: "2026-11-15" } as const;
    const spikesOf = (total: number) =>
      compose({ counts: [...daily("reviews", "", 10, 10), { ...once, total, negative: total }] })
        .spikes;
    expect(spikesOf(4)).toEqual([]);
    expect(spikesOf(8)).toHaveLength(1);
  });

  test("a version is one when more of its reviews are negative than usual", () => {
    const reviews = daily("reviews", "", 10, 10).map((one) => ({ ...one, negative: 2 }));
    const versionOf = (negative: number): DailyCount[] =>
      listDays(range).map((day) => ({
        subject: "version",
        value: "5.0",
        day,
        total: 10,
        negative,
      }));
    const spiked = compose({ counts: [...reviews, ...versionOf(6)] }).spikes;
    expect(spiked).toMatchObject([
      { subject: "version", value: "5.0", count: 42, total: 70, expected: 14 },
    ]);
    expect(spiked[0]?.sentence).toBe(
      "42 of the 70 reviews of version 5.0 are negative: 60% now, 56 of 280 before.",
    );
    expect(compose({ counts: [...reviews, ...versionOf(2)] }).spikes).toEqual([]);
  });

  test("reviews that copy each other count once", () => {
    const texts = Array.from({ length: 30 }, () =>
      aText("This app stole my money and the support never answers", { topics: ["payment"] }),
    );
    const day = "2026-11-15";
    const counts: DailyCount[] = [
      ...daily("reviews", "", 10, 10),
      { subject: "topic", value: "payment", day, total: 32, negative: 32 },
    ];
    expect(compose({ counts }).spikes).toMatchObject([{ value: "payment", count: 32 }]);
    const digest = compose({ counts, reviews: texts });
    expect(digest.spikes).toEqual([]);
    expect(digest.duplicates).toMatchObject([{ count: 30 }]);
    expect(digest.reviews).toMatchObject({ total: 70, repeated: 29 });
    expect(digest.sentences).toContain("30 reviews have nearly the same text; they count once.");
  });

  test("days that vary much make a high count less surprising", () => {
    const even = Array.from({ length: 28 }, () => 2);
    const uneven = Array.from({ length: 28 }, (_, index) => (index % 7 === 0 ? 14 : 0));
    const of = (perDay: number[]) => surprise({ count: 34, expected: 14, perDay });
    expect(of(even)).toBeLessThan(1e-4);
    expect(of(uneven)).toBeGreaterThan(1e-2);
  });

  test("the tail of the Poisson distribution is that of its table", () => {
    expect(tailProbability(10, 3)).toBeCloseTo(0.0011025, 6);
    expect(tailProbability(3, 0.5)).toBeCloseTo(0.0143877, 6);
    expect(tailProbability(1_200, 1_000)).toBeCloseTo(4.684e-10, 12);
  });

  test("the exact test is that of its table", () => {
    const shares = { count: 3, total: 4, countBefore: 1, totalBefore: 4 };
    expect(riseProbability(shares)).toBeCloseTo(17 / 70, 10);
    expect(fallProbability({ count: 1, total: 4, countBefore: 3, totalBefore: 4 })).toBeCloseTo(
      17 / 70,
      10,
    );
    expect(riseProbability({ count: 32, total: 462, countBefore: 0, totalBefore: 22 })).toBeCloseTo(
      0.2,
      1,
    );
  });

  test("few reviews before prove nothing: 32 of 462 against 0 of 22 is no news", () => {
    const before = { subject: "reviews", value: "", day: baseline.to, negative: 0 } as const;
    const now = { ...before, day: range.to };
    const counts: DailyCount[] = [
      { ...before, total: 22 },
      { ...now, total: 462 },
      { ...now, subject: "topic", value: "login", total: 32, negative: 32 },
    ];
    const { spikes } = compose({ counts, stars: [0, 0, 462, 0, 0], starsBefore: [0, 0, 22, 0, 0] });
    expect(spikes.filter(({ subject }) => subject === "topic")).toEqual([]);
  });

  test("praise that mentions a topic is none", () => {
    const praise = daily("topic", "crash", 1, 6).map((one) => ({ ...one, negative: 0 }));
    expect(compose({ counts: [...daily("reviews", "", 10, 10), ...praise] }).spikes).toEqual([]);
  });

  test("the rating is told when it falls, when it rises, and when nearly all have five stars", () => {
    const of = (stars: number[], starsBefore: number[]) =>
      compose({ stars, starsBefore }).sentences.slice(1);
    expect(of([30, 10, 5, 5, 20], [20, 20, 40, 100, 100])).toEqual([
      "The rating went down: 40 of 70 reviews have one or two stars, 57% now, 40 of 280 before.",
    ]);
    expect(of([0, 0, 10, 30, 30], [60, 60, 40, 60, 60])).toEqual(
      [
        "The rating went up: 0 of 70 reviews have one or two stars, 0% now, 120 of 280 before.",
        "30 of 70 reviews have five stars: 43% now, 60 of 280 before.",
      ].slice(0, 1),
    );
    expect(of([0, 0, 0, 1, 69], [20, 20, 80, 80, 80])).toContain(
      "69 of 70 reviews have five stars: 99% now, 80 of 280 before.",
    );
    expect(of([1, 0, 69, 0, 0], [3, 0, 277, 0, 0])).toEqual([
      "Nothing changed beyond what is usual.",
    ]);
  });

  test("far fewer reviews than usual are told", () => {
    const { spikes, sentences } = compose({ counts: daily("reviews", "", 20, 2) });
    expect(spikes).toMatchObject([{ subject: "fewer", count: 14, expected: 140 }]);
    expect(sentences[0]).toContain("14 reviews, far fewer than the 140 that would be usual");
  });

  test("of weeks in which nothing changes, at most one in twenty claims anything", () => {
    expect(countFalseClaims({ weeks: 400, seed: 7 })).toBeLessThanOrEqual(20);
  });
});

/** Weeks like the four before: of some 60 reviews or few, with topics, languages, a version and stars of fixed shares. */
function countFalseClaims({ weeks, seed }: { weeks: number; seed: number }): number {
  const chance = makeRandom(seed);
  const drawn = (count: number, share: number): number =>
    Array.from({ length: count }, chance).filter((value) => value < share).length;
  let claims = 0;
  for (let week = 0; week < weeks; week += 1) {
    const mean = [0.8, 3, 9, 30][week % 4] ?? 1;
    const counts = [...listDays(baseline), ...listDays(range)].flatMap((day): DailyCount[] => {
      const total = poisson(mean, chance);
      const one = (subject: DailyCount["subject"], value: string, share: number): DailyCount => {
        const own = drawn(total, share);
        return { subject, value, day, total: own, negative: drawn(own, 0.5) };
      };
      const topics = [0.02, 0.05, 0.1, 0.2, 0.3, 0.03, 0.01, 0.15, 0.08, 0.04, 0.06, 0.12];
      return [
        { subject: "reviews", value: "", day, total, negative: drawn(total, 0.3) },
        ...topics.map((share, at) => one("topic", `topic_${at}`, share)),
        ...["de", "fr", "ja", "pt"].map((language) => one("language", language, 0.1)),
      ];
    });
    const starsOf = ({ from, to }: typeof range) => {
      const days = counts.filter(
        ({ subject, day }) => subject === "reviews" && day >= from && day <= to,
      );
      const total = days.reduce((sum, one) => sum + one.total, 0);
      const stars = [0, 0, 0, 0, 0];
      for (let at = 0; at < total; at += 1) {
        const star = [0, 0, 1, 2, 3, 3, 4, 4, 4, 4][Math.floor(chance() * 10)] ?? 4;
        stars[star] = (stars[star] ?? 0) + 1;
      }
      return stars;
    };
    const digest = compose({ counts, stars: starsOf(range), starsBefore: starsOf(baseline) });
    if (digest.spikes.length > 0) claims += 1;
  }
  return claims;
}

describe("new phrases", () => {
  test("are what reviews say now and did not say before, the longest form of it once", () => {
    const reviewsBefore = Array.from({ length: 200 }, () => aText(aSentence()));
    const reviews = Array.from({ length: 60 }, (_, at) =>
      aText(at % 3 === 0 ? `${aSentence()} a login loop ${aSentence(3)}` : aSentence()),
    );
    const digest = compose({ kind: "release", version: "4.2", reviews, reviewsBefore });
    expect(digest.newPhrases.map(({ phrase }) => phrase)).toEqual(["a login loop"]);
    expect(digest.newPhrases[0]?.sentence).toBe(
      "“a login loop” is new since version 4.2: 20 of 60 reviews in English say it, 0 of 200 before.",
    );
    expect(digest.quotes[0]?.text).toContain("login loop");
    expect(digest.quotes[0]?.mentions).toContain("a login loop");
  });

  test("are shown as most reviews write them, and are never function words alone", () => {
    const reviewsBefore = Array.from({ length: 200 }, () => aText(aSentence()));
    const reviews = Array.from({ length: 60 }, (_, at) =>
      aText(at % 3 === 0 ? `${aSentence()} the CCC ${aSentence(3)} since then` : aSentence()),
    );
    const found = compose({ reviews, reviewsBefore }).newPhrases.map(({ phrase }) => phrase);
    expect(found.some((phrase) => phrase.includes("CCC"))).toBe(true);
    expect(found).not.toContain("since then");
    expect(found).not.toContain("the");
  });

  test("a language that is new does not make its words new", () => {
    const reviewsBefore = Array.from({ length: 100 }, () => aText(aSentence()));
    const reviews = Array.from({ length: 40 }, () =>
      aText(`die karte zeigt den ${aSentence(6)} nicht mehr`, { language: "de" }),
    );
    expect(compose({ reviews, reviewsBefore }).newPhrases).toEqual([]);
  });

  test("are found in a script without spaces", () => {
    const inJapanese = (text: string) => aText(`${text}${aSentence(4)}`, { language: "ja" });
    const digest = compose({
      reviews: Array.from({ length: 30 }, () => inJapanese("通知が来ない")),
      reviewsBefore: Array.from({ length: 100 }, () => inJapanese("地図が見やすい")),
    });
    expect(digest.newPhrases.some(({ phrase }) => "通知が来ない".includes(phrase))).toBe(true);
  });
});

describe("quotes", () => {
  test("say three things, in one line each, and are never cut inside of a character", () => {
    const long = `Crashes\nat start ${"🌊 waves ".repeat(60)}`;
    const reviews = [
      aText(long, { topics: ["crash"], score: -0.9 }),
      aText("Crashes at start since the update, again and again", { topics: ["crash"] }),
      aText("Signing in fails with every password that I try", { topics: ["login"] }),
      aText("Too many advertisements between the tides for me", { topics: ["ads"] }),
      aText("Bad", { topics: ["crash", "login", "ads"] }),
    ];
    const { quotes } = compose({ reviews });
    expect(new Set(quotes.flatMap(({ topics }) => topics))).toEqual(
      new Set(["crash", "login", "ads"]),
    );
    for (const { text } of quotes) {
      expect(text.length).toBeLessThanOrEqual(280);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain("\n");
    }
  });
});

test("an app without reviews has a digest, and every digest fits its schema", () => {
  const empty = compose({ counts: [], baseline: null, stars: [] });
  expect(digestSchema.parse(empty).sentences).toEqual([
    "From 14 Nov to 20 Nov there were no reviews.",
  ]);
  const first = compose({ baseline: null, reviews: [aText("It is what it is, for a week now")] });
  expect(digestSchema.parse(first).sentences.at(-1)).toBe(
    "There are too few earlier reviews to compare with.",
  );
});

function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function poisson(mean: number, chance: () => number): number {
  const limit = Math.exp(-mean);
  let product = chance();
  let events = 0;
  while (product > limit) {
    product *= chance();
    events += 1;
  }
  return events;
}

test("days are listed across the end of a month", () => {
  expect(listDays({ from: "2026-10-30", to: addDays("2026-10-30", 3) })).toEqual([
    "2026-10-30",
    "2026-10-31",
    "2026-11-01",
    "2026-11-02",
  ]);
});
