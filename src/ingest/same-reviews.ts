// Two readings of one page within seconds: whether they show the same reviews. Pure.
import type { SourceReview } from "../domain/review/review.ts";
import { secondMs } from "../lib/timestamp.ts";

export const comparedFields = [
  "rating",
  "author",
  "title",
  "text",
  "version",
  "date",
  "votes",
  "reply",
] as const;

/** Less than a second is another precision, and the date of a reply says little. */
export function comparable(value: SourceReview[(typeof comparedFields)[number]]): unknown {
  if (value instanceof Date) return Math.floor(value.getTime() / secondMs);
  return typeof value === "object" ? value?.text : value;
}

/** People may write, edit or vote between two readings, but not three at a time. */
const fewMin = 3;

/** Another layout, rather than a copy of another minute: other fields under the same dates, or other reviews. */
export function hasOtherReviews(
  one: readonly SourceReview[],
  other: readonly SourceReview[],
): boolean {
  const [shorter = 0, longer = 0] = [one.length, other.length].sort((a, b) => a - b);
  if (shorter === 0) return longer > 0;
  if (longer - shorter >= fewMin && shorter * 2 <= longer) return true;
  const byId = new Map(other.map((review) => [review.storeReviewId, review]));
  const pairs = one.flatMap((review) => {
    const again = byId.get(review.storeReviewId);
    return again ? [{ review, again }] : [];
  });
  if (pairs.length * 2 < shorter) return true;
  const fieldsOf = ({ review, again }: (typeof pairs)[number]) =>
    comparedFields.filter((name) => comparable(review[name]) !== comparable(again[name]));
  const changed = pairs.map(fieldsOf).filter((names) => names.length > 0);
  const inPlace = changed.filter(
    (names) =>
      names.some((name) => !["date", "votes", "reply"].includes(name)) && !names.includes("date"),
  );
  return inPlace.length > 0 || changed.length >= Math.min(fewMin, one.length);
}
