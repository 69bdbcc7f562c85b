// Digests of invented weeks: what rose, what is new, what repeats, and quotes; and that chance alone is no news.
import { describe, expect, test } from "vitest";
import { type DailyCount, type DigestReview, digestSchema } from "../../domain/digest.ts";
import { addDays } from "../../lib/timestamp.ts";
import { composeDigest, type DigestInput } from "./compose-digest.ts";
import { surprise, tailProbability } from "./poisson.ts";
import { listDays } from "./spikes.ts";

const range = { from: "2026-11-14", to: "2026-11-20" };
const baseline = { from: "2026-10-17", to: "2026-11-13" };

const daily = (subject: DailyCount["subject"], value: string, before: number, now: number) => [
  ...listDays(baseline).map((day) => ({ subject, value, day, total: before, negative: 0 })),
  ...listDays(range).map((day) => ({ subject, value, day, total: now, negative: 0 })),
];

let count = 0;
function aText(text: string, overrides: Partial<DigestReview> = {}): DigestReview {
  count += 1;
  return {
    id: `review-${String(count).padStart(5, "0")}`,
    rating: 2,
    title: null,
    text,
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
    averageRating: 3,
    averageRatingBefore: 4,
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
    expect(digest.sentences[1]).toBe("42 reviews mention crashes; about 7 would be usual.");
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
    const once = { subject: "topic", value: "battery", day: "2026-11-15", negative: 0 } as const;
    const spikesOf = (total: number) =>
      compose({ counts: [...daily("reviews", "", 10, 10), { ...once, total }] }).spikes;
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
      "42 of the 70 reviews of version 5.0 are negative; about 14 would be usual.",
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
      { subject: "topic", value: "payment", day, total: 32, negative: 0 },
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

  test("weeks of pure chance are quiet", () => {
    const chance = makeRandom(7);
    let spikeCount = 0;
    for (let week = 0; week < 200; week += 1) {
      const counts = ["crash", "ads", "login", "ui", "bug"].flatMap((topic, index) =>
        [...listDays(baseline), ...listDays(range)].map((day) => ({
          subject: "topic" as const,
          value: topic,
          day,
          total: poisson(index + 0.3, chance),
          negative: 0,
        })),
      );
      spikeCount += compose({ counts: [...daily("reviews", "", 30, 30), ...counts] }).spikes.length;
    }
    expect(spikeCount).toBeLessThanOrEqual(2);
  });
});

describe("new phrases", () => {
  test("are what reviews say now and did not say before, the longest form of it once", () => {
    const reviewsBefore = Array.from({ length: 200 }, () => aText(aSentence()));
    const reviews = Array.from({ length: 60 }, (_, at) =>
      aText(at % 3 === 0 ? `${aSentence()} a login loop ${aSentence(3)}` : aSentence()),
    );
    const digest = compose({ kind: "release", version: "4.2", reviews, reviewsBefore });
    expect(digest.newPhrases.map(({ phrase }) => phrase)).toEqual(["a login loop"]);
    expect(digest.newPhrases[0]?.sentence).toBe(
      "“a login loop” is new since version 4.2: 20 reviews say it, none did before.",
    );
    expect(digest.quotes[0]?.text).toContain("login loop");
    expect(digest.quotes[0]?.mentions).toContain("a login loop");
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
  const empty = compose({ counts: [], baseline: null, averageRating: null });
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
