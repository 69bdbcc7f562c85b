// Compares reviews of a source with those in the database: new, edited, only metadata changed, or
// unchanged. Pure. Omitted fields never erase known values.

import type { Listing } from "../domain/listing.ts";
import {
  type EarlierVersion,
  plausibleReviewDate,
  type Review,
  type ReviewChange,
  type ReviewOrigin,
  reviewIdOf,
  type SourceReview,
  textOrTitle,
} from "../domain/review.ts";
import { storeTraits } from "../domain/store-traits.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { IngestBatch } from "./ingest-batch.ts";

export type IdentifiedReview = { id: string; review: SourceReview };

/**
 * Gives each review its id, and drops dates that can't be right; of a review that stands twice in a batch
 * the newer version counts.
 */
export function assignIds(
  { listing, reviews }: Pick<IngestBatch, "listing" | "reviews">,
  now: Date,
): IdentifiedReview[] {
  const byId = new Map<string, IdentifiedReview>();
  for (const source of reviews) {
    const date = plausibleReviewDate(source.date, now);
    const review = normalizeForStore(listing, { ...source, date });
    const { storeReviewId, stored } = review;
    const id = stored?.erasedId ?? reviewIdOf({ ...listing, storeReviewId });
    const earlier = byId.get(id);
    if (earlier && time(earlier.review.date) > time(review.date)) continue;
    byId.set(id, { id, review });
  }
  return [...byId.values()];
}

export function diffReviews(
  batch: Pick<IngestBatch, "listing" | "source" | "undatedAt" | "crawlPage" | "isFromWholeList">,
  {
    identified,
    known,
    now,
  }: { identified: readonly IdentifiedReview[]; known: ReadonlyMap<string, Review>; now: Date },
): ReviewChange[] {
  return identified.map(({ id, review }, index): ReviewChange => {
    const before = known.get(id);
    if (before) return compareVersions(batch, { before, review, now });
    const date = review.date ?? assumeDate(batch, { identified, index, now });
    const after = toReview({ id, review, date, now });
    const { versions } = review.stored ?? {};
    return {
      ...{ kind: "new", before: null, after: noteListed(batch, after) },
      ...(versions && { versions }),
    };
  });
}

/** Reviews that the store shows are not, or no longer, removed. */
function noteListed(
  { source, isFromWholeList }: Pick<IngestBatch, "source" | "isFromWholeList">,
  review: Review,
): Review {
  if (source === "import") return review;
  const { removedAt: _, ...shown } = review;
  return isFromWholeList ? { ...shown, isListed: true } : shown;
}

type Pair = { before: Review; review: SourceReview };

/**
 * The one rule for all sources: a reading older than the stored version never changes rating, text or date. A stated
 * date is never older than a guess, nor on a page whose earlier dates were confirmed.
 */
function isCurrent(
  { source, crawlPage }: Pick<IngestBatch, "source" | "crawlPage">,
  { review: { date }, before }: Pair,
): boolean {
  if (crawlPage?.checkpoint.acceptedKind === "dates_shifted") return true;
  if (source === "fallback") return isLater(date, before.date);
  if (before.isDateAssumed) return true;
  return source === "export"
    ? isLater(date, before.date)
    : date === null || date.getTime() >= before.date.getTime();
}

function isLater(date: Date | null, than: Date): boolean {
  return date !== null && date > than;
}

/** A reading that is not current adds fields that aren't known yet, and a later reply. */
function completeOnly({ before, review }: Pair): SourceReview {
  const { rating, title, text, author, version } = before;
  const isReplyLater = time(review.reply?.at ?? null) > time(before.reply?.at ?? null);
  const known = { rating, title, text, author: author || review.author, ...originOf(before) };
  return {
    ...{ ...review, ...known, date: null, votes: null },
    // That of an earlier version is not the one of this version.
    version: version || (findEarlier({ before, review }) ? "" : review.version),
    reply: before.reply === null || isReplyLater ? review.reply : before.reply,
  };
}

/** An older reading with other words or stars is a version that was edited since. */
function findEarlier({ before, review }: Pair): EarlierVersion | null {
  const { rating, title, text, version, date } = review;
  if (date === null || before.isDateAssumed || date >= before.date) return null;
  const isOther =
    rating !== before.rating ||
    (title !== null && title !== before.title) ||
    ((text ?? "") !== "" && text !== before.text);
  return isOther ? { rating, title, text: text ?? "", version, date, replacedAt: null } : null;
}

/** Lists are newest first, so that a review is about as old as the one above it, or the one below. */
function assumeDate(
  batch: Pick<IngestBatch, "undatedAt" | "crawlPage">,
  page: { identified: readonly IdentifiedReview[]; index: number; now: Date },
): Date {
  const { identified, index, now } = page;
  const dates = identified.map(({ review }) => review.date);
  const above = dates.slice(0, index).findLastIndex((date) => date !== null);
  const dated = dates[above] ?? dates.slice(index).find((date) => date !== null);
  // On a page without any date the order of the list is all that is known.
  const position = (batch.crawlPage?.checkpoint.reviewCount ?? 0) - identified.length + index;
  const base = dated ?? batch.undatedAt ?? now;
  const stepCount = dated ? index - Math.max(above, 0) : Math.max(position, index);
  return new Date(Math.min(base.getTime(), now.getTime()) - stepCount * secondMs);
}

function compareVersions(
  batch: Pick<IngestBatch, "listing" | "source" | "crawlPage" | "isFromWholeList">,
  found: Pair & { now: Date },
): ReviewChange {
  const isNow = isCurrent(batch, found);
  const pair = isNow ? found : { ...found, review: completeOnly(found) };
  // The same version can have other words in another place of the store.
  const earlier = isNow || batch.source === "fallback" ? null : findEarlier(found);
  const versions = [...(found.review.stored?.versions ?? []), ...(earlier ? [earlier] : [])];
  const change = compareContents(batch, pair);
  return versions.length > 0 ? { ...change, versions } : change;
}

function compareContents(
  batch: Pick<IngestBatch, "listing" | "source" | "isFromWholeList">,
  pair: Pair & { now: Date },
): ReviewChange {
  const { before, now } = pair;
  const review = keepKnownTexts(pair);
  const updated = noteListed(batch, updateMetadata(pair));
  const after = hasReplies(batch) ? { ...updated, reply: pair.review.reply } : updated;
  if (isEdited(before, review)) {
    const { rating, title, text } = review;
    const reset = { analysis: null, translation: null, editedAt: now };
    return { kind: "edited", before, after: { ...after, rating, title, text, ...reset } };
  }
  const isSame =
    after.author === before.author &&
    after.version === before.version &&
    after.votes === before.votes &&
    after.reply?.text === before.reply?.text &&
    time(after.reply?.at ?? null) === time(before.reply?.at ?? null) &&
    after.device === before.device &&
    after.osVersion === before.osVersion &&
    time(after.submittedAt ?? null) === time(before.submittedAt ?? null) &&
    after.isListed === before.isListed &&
    after.removedAt === before.removedAt &&
    after.isDateAssumed === before.isDateAssumed &&
    time(after.date) === time(before.date);
  return isSame
    ? { kind: "unchanged", before, after: before }
    : { kind: "metadata_changed", before, after };
}

/** Reviews of Google Play and of accounts come with their replies: without one there is none. */
export function hasReplies({
  listing,
  source,
  lacksReplies = false,
}: Pick<IngestBatch, "listing" | "source" | "lacksReplies">): boolean {
  const isOfficial = (listing.credentialId ?? null) !== null;
  return (
    !lacksReplies &&
    source === "store" &&
    (storeTraits[listing.store].hasPublicReplies || isOfficial)
  );
}

type Texts = Pick<Review, "rating" | "title" | "text">;

/** Omitted fields, and changes without a new date, keep their known values. */
function keepKnownTexts({ before, review }: Pair): Texts {
  const isNewer = isLater(review.date, before.date);
  const merge = <T extends string | null>(read: T | null, known: T): T => {
    if (read === null) return known;
    return read === "" && !isNewer ? known : read;
  };
  return {
    rating: review.rating,
    title: merge(review.title, before.title),
    text: merge(review.text, before.text),
  };
}

/** The conditions of an edit: rating, title or text. */
function isEdited(before: Review, review: Texts): boolean {
  return (
    before.rating !== review.rating || before.title !== review.title || before.text !== review.text
  );
}

// "" and null mean that the source does not say, which changes nothing.
function updateMetadata({ before, review, now }: Pair & { now: Date }): Review {
  // A date that can't be right, from before there was a rule for it, gives way to a guess.
  const known = plausibleReviewDate(before.date, now) ?? before.firstSeenAt;
  const isGuess = review.date === null || review.stored?.isDateAssumed === true;
  const isReplyOlder = time(review.reply?.at ?? null) < time(before.reply?.at ?? null);
  return {
    ...before,
    isDateAssumed: isGuess && (before.isDateAssumed || known !== before.date),
    author: review.author || before.author,
    version: review.version || before.version,
    date: review.date ?? known,
    votes: review.votes ?? before.votes,
    reply: isReplyOlder ? before.reply : (review.reply ?? before.reply),
    ...originOf(review),
  };
}

function originOf({ device, osVersion, submittedAt }: ReviewOrigin): ReviewOrigin {
  return {
    ...(device && { device }),
    ...(osVersion && { osVersion }),
    ...(submittedAt && { submittedAt }),
  };
}

function toReview(first: { id: string; review: SourceReview; date: Date; now: Date }): Review {
  const { id, date, now } = first;
  const { stored, readyAnalysis = null, ...review } = first.review;
  const { versions: _, erasedId: __, ...known } = stored ?? {};
  return {
    ...review,
    id,
    text: review.text ?? "",
    date,
    isDateAssumed: review.date === null,
    country: review.country ?? "",
    analysis: readyAnalysis,
    translation: null,
    firstSeenAt: now,
    editedAt: null,
    ...known,
  };
}

/** Where a store has no titles, one that stands alone is the text of an old review, whatever the source. */
export function normalizeForStore(
  { store }: Pick<Listing, "store">,
  review: SourceReview,
): SourceReview {
  if (storeTraits[store].hasTitles || review.title === null) return review;
  return { ...review, title: null, text: textOrTitle(review.text, review.title) };
}

function time(moment: Date | null): number {
  return moment?.getTime() ?? 0;
}
