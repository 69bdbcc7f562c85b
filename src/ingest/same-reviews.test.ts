// Two readings of one page: another layout differs from a copy of another minute.
import { expect, test } from "vitest";
import type { SourceReview } from "../domain/review/review.ts";
import { hasOtherReviews } from "./same-reviews.ts";

const page = Array.from(
  { length: 10 },
  (_, index): SourceReview => ({
    storeReviewId: `id-${index}`,
    author: `Reader ${index}`,
    rating: 1 + (index % 5),
    title: `Title ${index}`,
    text: `The tide of port ${index} is late`,
    version: "1.0",
    country: "us",
    languageHint: null,
    date: new Date(Date.parse("2026-11-20T10:00:00Z") - index * 60_000),
    votes: index,
    reply: null,
  }),
);
type Change = (review: SourceReview, index: number) => Partial<SourceReview>;
const changed = (change: Change) =>
  page.map((review, index) => ({ ...review, ...change(review, index) }));
const at = (date: Date | null): Date => new Date((date?.getTime() ?? 0) + 3_600_000);

test.each<[string, Change]>([
  ["stars inverted", ({ rating }) => ({ rating: 6 - rating })],
  ["title and text swapped", ({ title, text }) => ({ title: text, text: title })],
  ["one text that is cut", (_, index) => (index === 4 ? { text: "The" } : {})],
  ["dates of another zone", ({ date }) => ({ date: at(date) })],
  ["votes of another count", () => ({ votes: 77 })],
  ["replies in the place of nothing", ({ text }) => ({ reply: { text: text ?? "", at: null } })],
  ["other ids", ({ storeReviewId }) => ({ storeReviewId: `x${storeReviewId}` })],
])("%s are other reviews", (_, change) => {
  expect(hasOtherReviews(page, changed(change))).toBe(true);
  expect(hasOtherReviews(changed(change), page)).toBe(true);
});

test("half of a list, or nothing, is another page", () => {
  expect(hasOtherReviews(page, [])).toBe(true);
  expect(hasOtherReviews([], page)).toBe(true);
  expect(hasOtherReviews(page.slice(0, 4), page)).toBe(true);
  expect(hasOtherReviews([], page.slice(0, 1))).toBe(true);
  expect(hasOtherReviews(page.slice(0, 1), page.slice(0, 2))).toBe(false);
});

test("an edit, a vote, a reply and a new review between two readings are not", () => {
  const now = new Date("2026-11-20T11:00:00Z");
  const edited: Change = (_, index) => (index === 2 ? { text: "Better", date: now } : {});
  expect(hasOtherReviews(page, page)).toBe(false);
  expect(hasOtherReviews(page, changed(edited))).toBe(false);
  expect(
    hasOtherReviews(
      page,
      changed((_, index) => (index < 2 ? { votes: 99 } : {})),
    ),
  ).toBe(false);
  const [first] = page;
  const written = first ? [{ ...first, storeReviewId: "new" }] : [];
  expect(hasOtherReviews(page, [...written, ...page.slice(0, 9)])).toBe(false);
  expect(hasOtherReviews(page.slice(0, 1), page.slice(0, 1))).toBe(false);
});
