// Whether a page of a store looks wrong although it can be parsed: a field that moved, dates that went, the
// list of another app. Such a page is quarantined, because saving it would overwrite or invent reviews.
// Pure.
import { createHash } from "node:crypto";
import type { Feed } from "../domain/feed.ts";
import type { PageSuspicion, SuspicionKind } from "../domain/page-quarantine.ts";
import type { Review } from "../domain/review.ts";
import type { IdentifiedReview } from "./diff-reviews.ts";

// So few reviews may change together by accident.
const changedCountMin = 3;
const changedManyMin = 10;
const changedShareMin = 0.2;
// A list of strangers shorter than this is more likely one that a store had left out before.
const foreignCountMin = 10;

export function findPageSuspicion(page: {
  identified: readonly IdentifiedReview[];
  known: ReadonlyMap<string, Review>;
  feed: Pick<Feed, "baselineAt" | "watermark">;
  isFirstPage: boolean;
  /** Its source has the replies of developers. */
  hasReplies: boolean;
}): PageSuspicion | null {
  const { identified, known } = page;
  const pairs = identified.flatMap(({ id, review }) => {
    const before = known.get(id);
    return before ? [{ review, before }] : [];
  });
  const found =
    findUndated(identified) ??
    findTextsGone(identified, pairs) ??
    (page.hasReplies ? findRepliesGone(identified, pairs) : null) ??
    findChangedAtOnce(pairs) ??
    findDatesShifted(pairs) ??
    (page.isFirstPage ? findForeign(identified, { known, feed: page.feed }) : null);
  return found && { ...found, contents: hashContents(identified) };
}

type Found = { kind: SuspicionKind; reason: string };
type Pair = { review: IdentifiedReview["review"]; before: Review };

function findUndated(identified: readonly IdentifiedReview[]): Found | null {
  const isUndated = identified.length > 0 && identified.every(({ review }) => review.date === null);
  return isUndated
    ? { kind: "undated", reason: `none of the ${identified.length} reviews of a page has a date` }
    : null;
}

function findTextsGone(
  identified: readonly IdentifiedReview[],
  pairs: readonly Pair[],
): Found | null {
  const known = pairs.filter(({ before }) => before.text !== "");
  const areKnownGone =
    known.length >= changedCountMin && known.every(({ review }) => (review.text ?? "") === "");
  const isNoneTold =
    identified.length > 0 && identified.every(({ review }) => review.text === null);
  return areKnownGone || isNoneTold
    ? { kind: "texts_gone", reason: "the texts of all reviews of a page are missing" }
    : null;
}

/** Developers delete a reply now and then, and not all of a page. */
function findRepliesGone(
  identified: readonly IdentifiedReview[],
  pairs: readonly Pair[],
): Found | null {
  const count = pairs.filter(({ before }) => before.reply !== null).length;
  if (count < changedCountMin || identified.some(({ review }) => review.reply !== null))
    return null;
  const reason = `the replies to all ${count} reviews of a page that had one are missing`;
  return { kind: "replies_gone", reason };
}

function findChangedAtOnce(pairs: readonly Pair[]): Found | null {
  const changedCount = pairs.filter(isChangedInPlace).length;
  if (!isTooMany(changedCount, pairs)) return null;
  const reason = `${changedCount} of ${pairs.length} known reviews of a page changed without a new date`;
  return { kind: "changed_at_once", reason };
}

function isTooMany(count: number, { length }: readonly Pair[]): boolean {
  const isMany = count >= changedManyMin && count > length * changedShareMin;
  return isMany || (count >= changedCountMin && count > length / 2);
}

/** A clock of the store that is wrong moves all dates by the same time, and nothing else. */
function findDatesShifted(pairs: readonly Pair[]): Found | null {
  const countByShift = new Map<number, number>();
  for (const { review, before } of pairs) {
    if (review.date === null || before.isDateAssumed || isContentChanged({ review, before }))
      continue;
    const shiftMs = review.date.getTime() - before.date.getTime();
    if (shiftMs !== 0) countByShift.set(shiftMs, (countByShift.get(shiftMs) ?? 0) + 1);
  }
  const count = Math.max(0, ...countByShift.values());
  if (!isTooMany(count, pairs)) return null;
  const reason = `the dates of ${count} of ${pairs.length} known reviews of a page moved by the same time`;
  return { kind: "dates_shifted", reason };
}

/** Stores give an edit a new date. What is not told is no change. */
function isChangedInPlace({ review, before }: Pair): boolean {
  const isMoved = review.date !== null && review.date.getTime() !== before.date.getTime();
  return !isMoved && isContentChanged({ review, before });
}

function isContentChanged({ review, before }: Pair): boolean {
  const isTitleChanged = review.title !== null && review.title !== before.title;
  const isTextChanged = review.text !== null && review.text !== before.text;
  return review.rating !== before.rating || isTitleChanged || isTextChanged;
}

/** A full first page of which nothing is known, although it is older than what was read to the end. */
function findForeign(
  identified: readonly IdentifiedReview[],
  {
    known,
    feed,
  }: { known: ReadonlyMap<string, Review>; feed: Pick<Feed, "baselineAt" | "watermark"> },
): Found | null {
  const { baselineAt, watermark } = feed;
  if (baselineAt === null || watermark === null) return null;
  if (identified.length < foreignCountMin || known.size > 0) return null;
  const oldCount = identified.filter(
    ({ review: { date } }) => date !== null && date <= watermark,
  ).length;
  if (oldCount * 2 <= identified.length) return null;
  const reason = `none of the ${identified.length} newest reviews was ever seen, although ${oldCount} are older than the last crawl: the list may be of another app`;
  return { kind: "foreign", reason };
}

function hashContents(identified: readonly IdentifiedReview[]): Record<string, string> {
  return Object.fromEntries(
    identified.map(({ review }) => {
      const { storeReviewId, rating, title, text, date } = review;
      const content = JSON.stringify([rating, title, text, date]);
      return [storeReviewId, createHash("sha1").update(content).digest("base64url").slice(0, 10)];
    }),
  );
}
