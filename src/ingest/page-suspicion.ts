// Whether a page of a store looks wrong although it can be parsed: a field that moved, dates that went, the list of
// another app. Such a page is quarantined, because saving it would overwrite or invent reviews. docs/collecting.md lists
// the rules with their reasons. Pure.
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
// So many strangers don't write without a text, or under one name.
const strangersMin = 10;
// Reviews of a page that were written so close together have the time of the request or of a copy.
const alikeMs = 60_000;
const alikeCountMin = 10;
// Texts as short as "Great app" are written by many.
const ownWordsMin = 20;
/** How Google Play names all who have deleted their account. */
const nobody = /^a google user$/i;

export function findPageSuspicion(
  page: ReadPage & {
    feed: Pick<Feed, "baselineAt" | "watermark">;
    isFirstPage: boolean;
    /** Its source has the replies of developers. */
    hasReplies: boolean;
  },
): PageSuspicion | null {
  const { identified, known } = page;
  const pairs = pairUp(page);
  const found =
    findUndated(identified) ??
    findTextsGone(identified, pairs) ??
    (page.hasReplies ? findRepliesGone(identified, pairs) : null) ??
    findContentsMoved(pairs) ??
    findChangedAtOnce(pairs) ??
    findDatesShifted(pairs) ??
    findDatesAlike(identified) ??
    findFieldsAlike(identified, pairs) ??
    (page.isFirstPage ? findForeign(identified, { known, feed: page.feed }) : null);
  return found && { ...found, contents: hashContents(identified) };
}

/** Whether no review of a page has a field that known ones had: it may have moved. Saving the page loses nothing. */
export function hasLostField(page: ReadPage): boolean {
  const pairs = pairUp(page);
  return (["author", "title", "version", "votes"] as const).some((name) => {
    const isThere = (review: Pair["review"] | Review): boolean => (review[name] ?? "") !== "";
    const hadCount = pairs.filter(({ before }) => isThere(before)).length;
    return hadCount >= changedCountMin && !page.identified.some(({ review }) => isThere(review));
  });
}

type ReadPage = {
  identified: readonly IdentifiedReview[];
  known: ReadonlyMap<string, Review>;
};

function pairUp({ identified, known }: ReadPage): Pair[] {
  return identified.flatMap(({ id, review }) => {
    const before = known.get(id);
    return before ? [{ review, before }] : [];
  });
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
  const isNoneWritten =
    identified.length >= strangersMin &&
    identified.every(({ review }) => (review.text ?? "") === "" && (review.title ?? "") === "");
  return areKnownGone || isNoneTold || isNoneWritten
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

/** An edit has a new date. Dates that move without an edit are those of the request, of a copy or of a wrong clock. */
function findDatesShifted(pairs: readonly Pair[]): Found | null {
  const moved = pairs.filter(
    ({ review, before }) =>
      review.date !== null &&
      !before.isDateAssumed &&
      review.date.getTime() !== before.date.getTime() &&
      !isContentChanged({ review, before }),
  );
  if (!isTooMany(moved.length, pairs)) return null;
  const reason = `the dates of ${moved.length} of ${pairs.length} known reviews of a page moved without an edit`;
  return { kind: "dates_shifted", reason };
}

function findDatesAlike(identified: readonly IdentifiedReview[]): Found | null {
  const times = identified.flatMap(({ review }) => review.date?.getTime() ?? []);
  if (times.length < alikeCountMin) return null;
  if (Math.max(...times) - Math.min(...times) > alikeMs) return null;
  const reason = `all ${times.length} reviews of a page are dated within a minute`;
  return { kind: "dates_alike", reason };
}

/** Each review has the contents of another one, as when a list of contents is off by one from the list of ids. */
function findContentsMoved(pairs: readonly Pair[]): Found | null {
  const owners = new Set(pairs.map(({ before }) => contentOf(before)));
  const movedCount = pairs.filter(({ review, before }) => {
    const content = contentOf(review);
    if (content.length < ownWordsMin || content === contentOf(before)) return false;
    return owners.has(content);
  }).length;
  if (!isTooMany(movedCount, pairs)) return null;
  const reason = `${movedCount} of ${pairs.length} known reviews of a page have the contents of another one`;
  return { kind: "contents_moved", reason };
}

function contentOf({ title, text }: Pick<IdentifiedReview["review"], "title" | "text">): string {
  return `${title ?? ""}\n${text ?? ""}`;
}

/** A field that shows another one, or the same to all. */
function findFieldsAlike(
  identified: readonly IdentifiedReview[],
  pairs: readonly Pair[],
): Found | null {
  const found = (reason: string): Found => ({ kind: "fields_alike", reason });
  const reviews = identified.map(({ review }) => review);
  const most = (matches: (review: IdentifiedReview["review"]) => boolean): boolean => {
    const count = reviews.filter(matches).length;
    return count >= changedCountMin && count * 2 > reviews.length;
  };
  if (most(({ reply, text }) => reply !== null && reply.text === text && text !== ""))
    return found("the replies of a page repeat its reviews");
  if (most(({ author, text }) => text !== null && text.length >= ownWordsMin && author === text))
    return found("the authors of a page repeat its texts");
  if (most(({ author, storeReviewId }) => author === storeReviewId))
    return found("the authors of a page are the ids of its reviews");
  const [first] = reviews;
  if (
    reviews.length >= strangersMin &&
    first?.author &&
    !nobody.test(first.author) &&
    reviews.every(({ author }) => author === first.author)
  )
    return found(`all ${reviews.length} reviews of a page have one author`);
  const renamed = pairs.filter(
    ({ review, before }) =>
      isUnedited({ review, before }) &&
      ((review.author !== "" && before.author !== "" && review.author !== before.author) ||
        (review.version !== "" && before.version !== "" && review.version !== before.version)),
  );
  if (!isTooMany(renamed.length, pairs)) return null;
  return found(
    `author or version of ${renamed.length} of ${pairs.length} known reviews of a page changed without an edit`,
  );
}

function isUnedited({ review, before }: Pair): boolean {
  return (
    !isContentChanged({ review, before }) &&
    (review.date === null || review.date.getTime() === before.date.getTime())
  );
}

/** Stores give an edit a new date. An omitted field does not count as a change. */
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
