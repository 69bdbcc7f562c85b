// Compares reviews of a source with those in the database: new, edited, only metadata changed, or
// unchanged. Pure. Omitted fields never erase known values.

import type { Listing } from "../domain/feed/listing.ts";
import {
  type EarlierVersion,
  isLaterVersion,
  madeIdPrefix,
  plausibleReviewDate,
  type Review,
  type ReviewChange,
  type ReviewContent,
  type ReviewOrigin,
  reviewIdOf,
  type SourceReview,
  saysTheSame,
  textOrTitle,
} from "../domain/review/review.ts";
import { storeTraits } from "../domain/store/store-traits.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type EarlierVersions, placeEarlierVersions } from "./earlier-versions.ts";
import type { IdentifiedReview, IngestBatch } from "./ingest-batch.ts";
import { hasSameMetadata, mergeRow } from "./merge-row.ts";

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
    if (earlier && isNewer(earlier.review, review)) continue;
    byId.set(id, { id, review });
  }
  return [...byId.values()];
}

function isNewer(one: SourceReview, other: SourceReview): boolean {
  if (time(one.date) !== time(other.date)) return time(one.date) > time(other.date);
  return isLaterVersion(contentOf(one), contentOf(other));
}

function contentOf({ rating, title, text }: SourceReview): ReviewContent {
  return { rating, title, text: text ?? "" };
}

export function diffReviews(
  batch: Pick<IngestBatch, "listing" | "source" | "undatedAt" | "crawlPage" | "isFromWholeList">,
  {
    identified,
    known,
    earlier,
    now,
  }: {
    identified: readonly IdentifiedReview[];
    known: ReadonlyMap<string, Review>;
    earlier: EarlierVersions;
    now: Date;
  },
): ReviewChange[] {
  return identified.map(({ id, review }, index): ReviewChange => {
    const before = known.get(id);
    if (before) {
      const { rating, title, text } = before;
      const isMade = review.storeReviewId.startsWith(madeIdPrefix);
      const read = isMade ? { ...review, rating, title, text } : review;
      const found = { before, review: read, earlier: earlier.get(id) ?? [], now };
      return batch.source === "import"
        ? mergeRow(batch.listing, found)
        : compareVersions(batch, found);
    }
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
type Found = Pair & { earlier: readonly EarlierVersion[]; now: Date };

/**
 * The one rule for all sources: a reading older than the stored version never changes rating, text or date. A stated
 * date is never older than a guess, nor on a page whose earlier dates were confirmed.
 */
function isCurrent(
  { source, crawlPage }: Pick<IngestBatch, "source" | "crawlPage">,
  found: Found,
): boolean {
  const { date } = found.review;
  const { before } = found;
  if (crawlPage?.checkpoint.acceptedKind === "dates_shifted") return true;
  if (source === "fallback") return isLater(date, before.date);
  if (before.isDateAssumed && date !== null) return true;
  if (source === "export" && date !== null) return isLater(date, before.date);
  if (date !== null && date.getTime() !== before.date.getTime()) return date > before.date;
  // Two places of a store may show two versions of one date: one that is known is not an edit again.
  const read = keepKnownTexts(found);
  return !found.earlier.some(
    (one) => one.date.getTime() === before.date.getTime() && saysTheSame(one, read),
  );
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
  if (date === null || before.isDateAssumed || date > before.date) return null;
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
  found: Found,
): ReviewChange {
  const isNow = isCurrent(batch, found);
  const pair = isNow ? found : { ...found, review: completeOnly(found) };
  // The same version can have other words in another place of the store.
  const one = isNow || batch.source === "fallback" ? null : findEarlier(found);
  const late = [...(found.review.stored?.versions ?? []), ...(one ? [one] : [])];
  const { earlier: stored, now } = found;
  return placeEarlierVersions(compareContents(batch, pair), { stored, late, now });
}

function compareContents(
  batch: Pick<IngestBatch, "listing" | "source" | "isFromWholeList">,
  pair: Pair & { now: Date },
): ReviewChange {
  const { before, now } = pair;
  const review = keepKnownTexts(pair);
  const updated = noteListed(batch, updateMetadata(pair));
  const after = hasReplies(batch) ? { ...updated, reply: pair.review.reply } : updated;
  if (!saysTheSame(before, review)) {
    const { rating, title, text } = review;
    const reset = { analysis: null, translation: null, editedAt: now };
    return { kind: "edited", before, after: { ...after, rating, title, text, ...reset } };
  }
  return hasSameMetadata(before, after)
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

/** Omitted fields, and changes without a new date, keep their known values. */
function keepKnownTexts({ before, review }: Pair): ReviewContent {
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

/**
 * Where a store has no titles, one that stands alone is the text of an old review, whatever the source. Where it has no
 * storefronts, all reviews have its one region.
 */
export function normalizeForStore(
  { store }: Pick<Listing, "store">,
  review: SourceReview,
): SourceReview {
  const { hasTitles, soleRegion } = storeTraits[store];
  const placed = soleRegion === null ? review : { ...review, country: soleRegion };
  if (hasTitles || review.title === null) return placed;
  return { ...placed, title: null, text: textOrTitle(review.text, review.title) };
}

function time(moment: Date | null): number {
  return moment?.getTime() ?? 0;
}
