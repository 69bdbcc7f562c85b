// Damages of a page, each once: what a broken parser or a changed layout makes of known and new reviews.
import { describe, expect, test } from "vitest";
import { aReview } from "../../test/support/factories.ts";
import type { SuspicionKind } from "../domain/page-quarantine.ts";
import type { Review, SourceReview } from "../domain/review.ts";
import { hourMs } from "../lib/timestamp.ts";
import { findPageSuspicion } from "./page-suspicion.ts";

const newestAt = Date.parse("2026-11-20T10:00:00Z");

function aSource(index: number): SourceReview {
  return {
    storeReviewId: `id-${index}`,
    author: `Reader ${index}`,
    rating: 1 + (index % 5),
    title: `Title ${index}`,
    text: `The tide table of port ${index} is right`,
    version: `${index % 3}.0`,
    country: "us",
    languageHint: null,
    date: new Date(newestAt - index * hourMs),
    votes: null,
    reply: { text: `Thanks, reader ${index}`, at: new Date(newestAt) },
  };
}

const sources = Array.from({ length: 30 }, (_, index) => aSource(index));

function toKnown(source: SourceReview): Review {
  const { text, date, country, ...fields } = source;
  return {
    ...aReview({ storeReviewId: source.storeReviewId }),
    ...fields,
    ...{ text: text ?? "", date: date ?? new Date(newestAt), country: country ?? "" },
  };
}

function judge(page: readonly SourceReview[], isKnown = true): SuspicionKind | null {
  const ids = new Set(page.map(({ storeReviewId }) => storeReviewId));
  const stored = sources.filter(({ storeReviewId }) => ids.has(storeReviewId));
  const known = new Map(stored.map((source) => [source.storeReviewId, toKnown(source)]));
  const found = findPageSuspicion({
    identified: page.map((review) => ({ id: review.storeReviewId, review })),
    known: isKnown ? known : new Map(),
    feed: { baselineAt: new Date(newestAt), watermark: new Date(newestAt) },
    isFirstPage: isKnown,
    hasReplies: true,
  });
  return found?.kind ?? null;
}

type Damage = (source: SourceReview, index: number) => Partial<SourceReview>;

function damaged(damage: Damage): SourceReview[] {
  return sources.map((source, index) => ({ ...source, ...damage(source, index) }));
}

const next = (index: number): SourceReview => sources[(index + 1) % sources.length] as SourceReview;

const damages: [string, SuspicionKind, Damage][] = [
  ["texts that are gone", "texts_gone", () => ({ text: null })],
  ["empty texts", "texts_gone", () => ({ text: "", title: "" })],
  [
    "title and text swapped",
    "changed_at_once",
    ({ title, text }) => ({ title: text, text: title }),
  ],
  ["texts that are the ids", "changed_at_once", ({ storeReviewId: text }) => ({ text })],
  ["texts that are cut", "changed_at_once", ({ text }) => ({ text: `${text?.slice(0, 20)}` })],
  ["ratings upside down", "changed_at_once", ({ rating }) => ({ rating: 6 - rating })],
  ["ratings that are all five", "changed_at_once", () => ({ rating: 5 })],
  ["contents of the review below", "contents_moved", (_, index) => contentOf(next(index))],
  ["dates that are gone", "undated", () => ({ date: null })],
  ["dates of the request", "dates_shifted", () => ({ date: new Date(newestAt + hourMs) })],
  [
    "dates of another time zone",
    "dates_shifted",
    ({ date }) => ({ date: new Date((date?.getTime() ?? 0) + 7 * hourMs) }),
  ],
  ["authors that are the ids", "fields_alike", ({ storeReviewId: author }) => ({ author })],
  ["authors that are the texts", "fields_alike", ({ text }) => ({ author: text ?? "" })],
  ["one author", "fields_alike", () => ({ author: "Anonymous" })],
  ["one version", "fields_alike", () => ({ version: "Version" })],
  [
    "replies that are the texts",
    "fields_alike",
    ({ text }) => ({ reply: { text: text ?? "", at: null } }),
  ],
  ["replies that are gone", "replies_gone", () => ({ reply: null })],
];

function contentOf({ title, text, rating, date }: SourceReview): Partial<SourceReview> {
  return { title, text, rating, date };
}

test("an undamaged page is right, known or new, and so are a few edits", () => {
  expect(judge(sources)).toBeNull();
  expect(judge(sources, false)).toBeNull();
  const edited = sources.map((source, index) => (index < 2 ? { ...source, rating: 1 } : source));
  expect(judge(edited)).toBeNull();
});

test.each(damages)("a page of known reviews with %s is held back as %s", (_, kind, damage) => {
  expect(judge(damaged(damage))).toBe(kind);
});

describe("a first crawl or a burst of new reviews", () => {
  test.each(
    damages.filter(([name]) =>
      /gone|empty|of the request|the ids|that are the texts|one author/.test(name),
    ),
  )("with %s", (name, _, damage) => {
    const kind = judge(damaged(damage), false);
    // Without known reviews there is nothing to compare these with.
    const isUndecided = /texts that are the ids|replies that are gone/.test(name);
    expect(kind === null).toBe(isUndecided);
  });
});

test("a list of strangers that is older than what was read is another app's", () => {
  const foreign = sources.map((source) => ({ ...source, storeReviewId: `x-${source.author}` }));
  expect(judge(foreign)).toBe("foreign");
});
