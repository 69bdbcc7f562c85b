// Each cause of a changed layout, and changes that an author, a developer or a cache of the store may make.
import { describe, expect, test } from "vitest";
import { aReview } from "../../test/support/factories.ts";
import { isSamePage, type SuspicionKind } from "../domain/feed/page-quarantine.ts";
import { lastingKinds } from "../domain/feed/source-trust.ts";
import type { Review, SourceReview } from "../domain/review/review.ts";
import { dayMs, hourMs } from "../lib/timestamp.ts";
import { causes, judgeOnItsOwn } from "./page-causes.ts";
import type { ReadPage } from "./page-facts.ts";

const newestAt = Date.parse("2026-11-20T10:00:00Z");

function aSource(index: number): SourceReview {
  return {
    storeReviewId: `id-${index}`,
    author: `Reader ${index}`,
    rating: 1 + (index % 5),
    title: `Title ${index}`,
    text: `The tide table of port ${index} isn't right & late`,
    version: `${index % 3}.0.1`,
    country: "us",
    languageHint: null,
    date: new Date(newestAt - index * dayMs),
    votes: index % 4,
    reply:
      index % 6 === 0
        ? {
            text: `Thanks, reader ${index}, it is mended`,
            at: new Date(newestAt - index * dayMs + hourMs),
          }
        : null,
  };
}

const sources = Array.from({ length: 30 }, (_, index) => aSource(index));

function toKnown(source: SourceReview): Review {
  const { text, date, country, ...fields } = source;
  return {
    ...aReview({ storeReviewId: source.storeReviewId }),
    ...fields,
    text: text ?? "",
    date: date ?? new Date(newestAt),
    country: country ?? "",
  };
}

const readAt = new Date(newestAt + hourMs);
const editedAt = new Date(newestAt + 2 * hourMs);

const long: ReadPage["feed"] = {
  baselineAt: readAt,
  watermark: new Date(newestAt),
  goodAt: readAt,
  fullCrawlAt: readAt,
  headCount: 30,
  quarantinedPage: null,
};
const short = { ...long, headCount: 4 };

function aPage(page: readonly SourceReview[]): ReadPage {
  const ids = new Set(page.map(({ storeReviewId }) => storeReviewId));
  const stored = sources.filter(({ storeReviewId }) => ids.has(storeReviewId));
  return {
    store: "googleplay",
    identified: page.map((review) => ({ id: review.storeReviewId, review })),
    known: new Map(stored.map((source) => [source.storeReviewId, toKnown(source)])),
    rejectedCount: 0,
    feed: long,
    isFirstPage: true,
    hasReplies: true,
  };
}

function judge(
  page: readonly SourceReview[],
  { isKnown = true, ...more }: Partial<ReadPage> & { isKnown?: boolean } = {},
): SuspicionKind | "right" {
  const strange = { known: new Map(), isFirstPage: false };
  const judged = judgeOnItsOwn({ ...aPage(page), ...(isKnown ? {} : strange), ...more });
  return judged.kind === "right" ? "right" : judged.suspicion.kind;
}

type Damage = (source: SourceReview, index: number) => Partial<SourceReview>;

function damaged(damage: Damage, of: readonly SourceReview[] = sources): SourceReview[] {
  return of.map((source, index) => ({ ...source, ...damage(source, index) }));
}

const next = (index: number): SourceReview => sources[(index + 1) % sources.length] as SourceReview;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
const later = (date: Date | null, ms: number): Date => new Date((date?.getTime() ?? 0) + ms);
const contentOf = ({ title, text, rating, date }: SourceReview): Partial<SourceReview> => ({
  title,
  text,
  rating,
  date,
});

const damages: [string, SuspicionKind, Damage][] = [
  ["texts that are gone", "texts_gone", () => ({ text: null })],
  ["empty texts", "texts_gone", () => ({ text: "", title: "" })],
  ["title and text swapped", "fields_swapped", ({ title, text }) => ({ title: text, text: title })],
  [
    "text and version swapped",
    "fields_swapped",
    ({ text, version }) => ({ text: version, version: text ?? "" }),
  ],
  ["texts that are the ids", "fields_swapped", ({ storeReviewId: text }) => ({ text })],
  [
    "reply and review swapped where there is a reply",
    "fields_swapped",
    ({ text, reply }) => (reply ? { text: reply.text, reply: { ...reply, text: text ?? "" } } : {}),
  ],
  ["texts that are cut", "texts_altered", ({ text }) => ({ text: `${text?.slice(0, 20)}` })],
  [
    "texts that are cut with dots",
    "texts_altered",
    ({ text }) => ({ text: `${text?.slice(0, 20)}…` }),
  ],
  [
    "one text that is escaped",
    "texts_altered",
    ({ text }, index) => (index === 4 ? { text: escaped(text ?? "") } : {}),
  ],
  ["title and text in one", "texts_altered", ({ title, text }) => ({ text: `${title} ${text}` })],
  ["ratings upside down", "changed_at_once", ({ rating }) => ({ rating: 6 - rating })],
  ["ratings from zero", "changed_at_once", ({ rating }) => ({ rating: Math.max(1, rating - 1) })],
  ["ratings that are all five", "changed_at_once", () => ({ rating: 5 })],
  [
    "a third translated",
    "changed_at_once",
    (_, index) => (index % 3 === 0 ? { text: `Die Tafel ${index}` } : {}),
  ],
  ["contents of the review below", "contents_moved", (_, index) => contentOf(next(index))],
  ["dates that are gone", "undated", () => ({ date: null })],
  ["dates of the request", "dates_shifted", () => ({ date: new Date(newestAt + hourMs) })],
  [
    "dates of another time zone",
    "dates_shifted",
    ({ date }) => ({ date: later(date, 7 * hourMs) }),
  ],
  ["dates of the day before", "dates_shifted", ({ date }) => ({ date: later(date, -dayMs) })],
  ["the date of a reply", "dates_shifted", ({ reply }) => (reply ? { date: reply.at } : {})],
  [
    "dates of another time zone with other stars",
    "dates_shifted",
    ({ date, rating }) => ({ date: later(date, 7 * hourMs), rating: 6 - rating }),
  ],
  ["authors that are the ids", "fields_swapped", ({ storeReviewId: author }) => ({ author })],
  [
    "authors that are masked",
    "fields_alike",
    ({ author }) => ({ author: `${author[0]}***${author.at(-1)}` }),
  ],
  ["one author", "fields_alike", () => ({ author: "Anonymous" })],
  ["one version", "fields_alike", () => ({ version: "Version" })],
  [
    "replies that are the texts",
    "fields_swapped",
    ({ text }) => ({ reply: { text: text ?? "", at: null } }),
  ],
  ["replies that are gone", "replies_gone", () => ({ reply: null })],
  ["votes of another count", "votes_moved", (_, index) => ({ votes: (index * 7) % 5 })],
  [
    "ids of another kind",
    "foreign",
    ({ storeReviewId }) => ({ storeReviewId: `x-${storeReviewId}` }),
  ],
  [
    "most reviews edited",
    "edited_at_once",
    (_, index) =>
      index < 16 ? { rating: 5 - (index % 5), text: `New ${index}`, date: editedAt } : {},
  ],
  [
    "one review with other words",
    "changed_alone",
    (_, index) => (index === 7 ? { text: "Something else" } : {}),
  ],
  [
    "one review with another version",
    "changed_alone",
    (_, index) => (index === 7 ? { version: "9.9" } : {}),
  ],
];

test.each(damages)("a page of known reviews with %s is held back as %s", (_, kind, damage) => {
  expect(judge(damaged(damage))).toBe(kind);
});

// One or two known reviews say as much of a layout as thirty, where they show it at all.
test.each(
  damages.filter(([, kind]) => ["fields_swapped", "texts_altered", "foreign"].includes(kind)),
)("a page of two known reviews with %s is held back as %s", (_, kind, damage) => {
  const two = [aSource(0), aSource(6)];
  const page = damaged((source, index) => damage(source, index === 0 ? 0 : 4), two);
  expect(judge(page)).toBe(kind);
});

test.each(damages.filter(([name]) => /upside|zone|the request|from zero/.test(name)))(
  "a page of two known reviews with %s is not taken for right",
  (_, __, damage) => {
    expect(judge(damaged(damage, sources.slice(3, 5)))).not.toBe("right");
  },
);

describe("a first crawl or a burst of new reviews", () => {
  test.each(
    damages.filter(([name]) =>
      /gone|empty texts|the request|that are the texts|one author/.test(name),
    ),
  )("with %s", (name, _, damage) => {
    const kind = judge(damaged(damage), { isKnown: false });
    // Without known reviews there is nothing to compare replies with.
    expect(kind === "waiting").toBe(/replies that are gone/.test(name));
  });
});

test("items that can't be read are odd where they are many", () => {
  expect(judge(sources, { rejectedCount: 8 })).toBe("unread");
  expect(judge([], { rejectedCount: 2 })).toBe("unread");
  expect(judge(sources, { rejectedCount: 2 })).toBe("waiting");
});

test("a first page that is much shorter and lacks the newest known review is cut", () => {
  expect(judge(sources.slice(20, 23))).toBe("list_cut");
  // It has the newest one, and vouches for nothing.
  expect(judge(sources.slice(0, 3))).toBe("waiting");
});

test.each(damages)("a page with %s and other reviews is %s as before", (_, kind, damage) => {
  const [one, other] = [sources.slice(0, 15), sources.slice(15)].map((half) =>
    judgeOnItsOwn(aPage(damaged(damage, half))),
  );
  if (one?.kind !== "odd" || other?.kind !== "odd" || one.suspicion.kind !== kind) return;
  if (other.suspicion.kind !== kind) return;
  // One that time confirms must have the same reviews.
  expect(isSamePage(one.suspicion, other.suspicion)).toBe(!lastingKinds.includes(kind));
});

describe("after a page that was held back", () => {
  const judgeAfter = (page: SourceReview[], found: SourceReview[]): SuspicionKind | "right" => {
    const held = judgeOnItsOwn(aPage(page));
    if (held.kind !== "odd") throw new Error("the page is not odd");
    const quarantinedPage = { ...held.suspicion, source: "public" as const, since: readAt };
    return judge(found, { feed: { ...long, quarantinedPage } });
  };
  const written = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...aSource(40 + index), date: editedAt }));

  test("a cut list is cut while it is shorter and shows nothing newer", () => {
    const cut = sources.slice(20, 23);
    expect(judgeAfter(cut, sources.slice(0, 20))).toBe("list_cut");
    expect(judgeAfter(cut, sources.slice(0, 2))).toBe("list_cut");
    expect(judgeAfter(cut, [...written(1), ...sources.slice(0, 15)])).not.toBe("list_cut");
    expect(judgeAfter(cut, sources)).toBe("right");
  });

  test("the list of another app stays foreign when all of it is new", () => {
    const foreign = damaged(({ storeReviewId }) => ({ storeReviewId: `x-${storeReviewId}` }));
    expect(judge(written(9))).toBe("waiting");
    expect(judgeAfter(foreign, written(9))).toBe("foreign");
    expect(judgeAfter(foreign, [...written(9), ...sources.slice(0, 2)])).toBe("waiting");
    expect(judgeAfter(foreign, sources)).toBe("right");
  });
});

test("votes of few known reviews may rise by some, and not fall", () => {
  const few = sources.slice(0, 3);
  const withVotes = (change: (votes: number, index: number) => number) =>
    judge(
      damaged(({ votes }, index) => ({ votes: change(votes ?? 0, index) }), few),
      { feed: short },
    );
  expect(withVotes((votes) => votes)).toBe("right");
  expect(withVotes((votes) => votes + 2)).toBe("right");
  expect(withVotes((votes, index) => (index === 1 ? votes - 1 : votes))).toBe("votes_jumped");
  expect(withVotes((votes) => 3 * votes + 3)).toBe("votes_jumped");
  expect(withVotes((votes, index) => (index === 1 ? votes - 1 : votes + 1))).toBe("votes_moved");
  expect(judge(damaged(({ votes }) => ({ votes: 3 * (votes ?? 0) + 3 })))).toBe("right");
});

test("edits by authors and developers are in order", () => {
  expect(judge(sources)).toBe("right");
  expect(judge(sources, { isKnown: false })).toBe("waiting");
  const edited: Damage = (_, index) =>
    index < 3 ? { rating: 1, text: "Edited", date: editedAt } : {};
  expect(judge(damaged(edited))).toBe("right");
  const saved: Damage = (_, index) => (index === 2 ? { date: editedAt } : {});
  expect(judge(damaged(saved))).toBe("right");
  const renamed: Damage = (_, index) => (index === 2 ? { author: "Other" } : {});
  expect(judge(damaged(renamed))).toBe("right");
  expect(judge(damaged(({ votes }, index) => ({ votes: (votes ?? 0) + (index % 2) })))).toBe(
    "right",
  );
  expect(judge(damaged(({ date }) => ({ date: later(date, 700) })))).toBe("right");
  const unreplied: Damage = (_, index) => (index === 6 ? { reply: null } : {});
  expect(judge(damaged(unreplied))).toBe("right");
});

test("replies in a list of their own are not taken for reviews", () => {
  const replies = sources
    .slice(0, 7)
    .flatMap(({ reply, ...source }, index) =>
      reply
        ? [{ ...source, storeReviewId: `r${index}`, text: reply.text, date: reply.at, reply: null }]
        : [],
    );
  const known = sources.slice(0, 7).map((source) => ({ ...source, reply: null }));
  expect(judge([...known, ...replies], { feed: short })).toBe("contents_moved");
  const derived = replies.map((reply) => ({
    ...reply,
    storeReviewId: "id-0:1",
    text: "Thanks to all of you",
  }));
  expect(judge([...known, ...derived], { feed: short })).toBe("foreign");
  // Developers withdraw a reply, and people repeat its words.
  expect(judge([...sources, ...replies])).toBe("right");
});

test("known reviews that were edited are the only ones on a page that is new for the most part", () => {
  const written = Array.from({ length: 10 }, (_, index) => ({
    ...aSource(50 + index),
    date: later(editedAt, index * hourMs),
  }));
  const edited = damaged((_, index) => ({ text: `Edited ${index}`, date: editedAt })).slice(0, 3);
  expect(judge([...written, ...edited])).toBe("waiting");
});

test("a page that waits keeps a few of its reviews, without their authors", () => {
  const long = { ...aSource(40), text: "🌊".repeat(500) };
  const judged = judgeOnItsOwn(
    aPage([long, aSource(41), ...sources.slice(0, 2), aSource(42), aSource(43)]),
  );
  if (judged.kind === "right") throw new Error("two known reviews are too few");
  const { count, examples } = judged.suspicion.unconfirmed;
  expect(count).toBe(4);
  expect(examples.map(({ title }) => title)).toEqual(["Title 40", "Title 41", "Title 42"]);
  expect(examples[0]?.text).toBe("🌊".repeat(300));
  expect(JSON.stringify(judged.suspicion.unconfirmed)).not.toContain("Reader");
});

test("one author of a page with few known reviews may take another name, and two don't at once", () => {
  const renamed = (count: number, known: number) =>
    judge(
      damaged((_, index) => (index < count ? { author: "Other" } : {}), sources.slice(0, known)),
      { feed: short },
    );
  expect([renamed(1, 1), renamed(1, 2)]).toEqual(["renamed_alone", "renamed_alone"]);
  expect(renamed(2, 2)).toBe("changed_alone");
  expect([renamed(1, 3), renamed(1, 6)]).toEqual(["waiting", "right"]);
});

test("two known reviews, or stars that are all alike, are too few to judge a page", () => {
  expect(judge(sources.slice(0, 2))).toBe("waiting");
  const alike = sources.filter(({ rating }) => rating === 3);
  expect(judge([...alike, aSource(40)], { feed: short })).toBe("waiting");
});

test("each cause has a damage", () => {
  const others = ["unread", "list_cut", "votes_jumped", "renamed_alone"];
  const shown = new Set([...damages.map(([, kind]) => kind), ...others]);
  const missing = causes.filter(({ kind }) => !shown.has(kind)).map(({ kind }) => kind);
  expect(missing).toEqual(["dates_alike"]);
});

describe("a store whose edits keep their date, and which lists stars alone", () => {
  const store = "firefoxaddons";
  const edit = (count: number): Damage => {
    return (_, index) => (index < count ? { text: `On second thought ${index}` } : {});
  };
  const appended: Damage = ({ text }, index) =>
    index === 4 ? { text: `${text} EDIT: fixed` } : {};

  test("one or two edits of a page are right, and many are a change of the layout", () => {
    expect(judge(damaged(edit(2)), { store })).toBe("right");
    expect(judge(damaged(appended), { store })).toBe("right");
    expect(judge(damaged(edit(4)), { store })).toBe("changed_at_once");
    // Elsewhere one is enough.
    expect(judge(damaged(edit(1)))).toBe("changed_alone");
  });

  test("a page of new ratings without a text is not odd, and known texts that are gone are", () => {
    const stars = damaged(() => ({ text: "", title: null, reply: null }));
    expect(judge(stars, { store, isKnown: false })).toBe("waiting");
    expect(judge(stars, { isKnown: false })).toBe("texts_gone");
    expect(judge(stars, { store })).toBe("texts_gone");
  });
});
