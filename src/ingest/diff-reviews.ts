// Compares reviews of a source with those in the database: new, edited, only metadata changed, or
// unchanged. Pure. Omitted fields never erase known values.

import type { Listing } from "../domain/listing.ts";
import {
  plausibleReviewDate,
  type Review,
  type ReviewChange,
  type ReviewOrigin,
  reviewIdOf,
  type SourceReview,
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
    const review = { ...source, date: plausibleReviewDate(source.date, now) };
    const id = reviewIdOf({ ...listing, storeReviewId: review.storeReviewId });
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
    const read = normalizeForStore(batch.listing, review);
    const normalized = before ? completeOnly(batch, { before, review: read }) : read;
    if (before) {
      if (isStale(batch, { review: normalized, before })) {
        return { kind: "unchanged", before, after: before };
      }
      return compareVersions(batch, { before, review: normalized, now });
    }
    const date = review.date ?? assumeDate(batch, { identified, index, now });
    const after = toReview({ id, review: normalized, date, now });
    const { versions } = normalized.stored ?? {};
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

/**
 * A page can be an older copy than the one that was read before. A stated date is never stale by a guess, nor
 * on a page whose earlier dates were confirmed.
 */
function isStale(
  { source, crawlPage }: Pick<IngestBatch, "source" | "crawlPage">,
  { review, before }: { review: SourceReview; before: Review },
): boolean {
  if (source === "import" || crawlPage?.checkpoint.acceptedKind === "dates_shifted") return false;
  if (source === "store" || source === "export") {
    return review.date !== null && !before.isDateAssumed && review.date < before.date;
  }
  return review.date === null || review.date <= before.date;
}

/** A row of an export that is not newer adds the device, the day of submission, and replies that came later. */
function completeOnly(
  { source }: Pick<IngestBatch, "source">,
  { before, review }: { before: Review; review: SourceReview },
): SourceReview {
  const isNewer = review.date !== null && review.date > before.date;
  if (source !== "export" || isNewer || before.isDateAssumed) return review;
  const { rating, title, text, date } = before;
  const isReplyLater = time(review.reply?.at ?? null) > time(before.reply?.at ?? null);
  const reply = before.reply === null || isReplyLater ? review.reply : before.reply;
  const version = before.version || review.version;
  return { ...review, author: "", rating, title, text, version, date, votes: null, reply };
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
  batch: Pick<IngestBatch, "listing" | "source" | "isFromWholeList">,
  pair: { before: Review; review: SourceReview; now: Date },
): ReviewChange {
  const { before, now } = pair;
  const review = batch.source === "import" ? textsOf(pair.review) : keepKnownTexts(pair);
  const updated = noteListed(batch, updateMetadata(before, pair));
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
export function hasReplies({ listing, source }: Pick<IngestBatch, "listing" | "source">): boolean {
  const isOfficial = (listing.credentialId ?? null) !== null;
  return source === "store" && (storeTraits[listing.store].hasPublicReplies || isOfficial);
}

type Texts = Pick<Review, "rating" | "title" | "text">;

/** As in an import, which always overwrites. */
function textsOf({ rating, title, text }: SourceReview): Texts {
  return { rating, title, text: text ?? "" };
}

/** Omitted fields, and changes without a new date, keep their known values. */
function keepKnownTexts({ before, review }: { before: Review; review: SourceReview }): Texts {
  const isNewer = review.date !== null && review.date > before.date;
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
function updateMetadata(
  before: Review,
  { review, now }: { review: SourceReview; now: Date },
): Review {
  // A date that can't be right, from before there was a rule for it, gives way to a guess.
  const known = plausibleReviewDate(before.date, now) ?? before.firstSeenAt;
  const isGuess = review.date === null || review.stored?.isDateAssumed === true;
  return {
    ...before,
    isDateAssumed: isGuess && (before.isDateAssumed || known !== before.date),
    author: review.author || before.author,
    version: review.version || before.version,
    date: review.date ?? known,
    votes: review.votes ?? before.votes,
    reply: review.reply ?? before.reply,
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
  const { stored, ...review } = first.review;
  const { versions: _, ...known } = stored ?? {};
  return {
    ...review,
    id,
    text: review.text ?? "",
    date,
    isDateAssumed: review.date === null,
    country: review.country ?? "",
    analysis: null,
    translation: null,
    firstSeenAt: now,
    editedAt: null,
    ...known,
  };
}

/** As it is saved: without a title where the store has none, whatever an import says. */
function normalizeForStore(listing: Listing, review: SourceReview): SourceReview {
  return storeTraits[listing.store].hasTitles ? review : { ...review, title: null };
}

function time(moment: Date | null): number {
  return moment?.getTime() ?? 0;
}
