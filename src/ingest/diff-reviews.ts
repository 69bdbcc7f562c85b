// Compares reviews of a source with those in the database: new, edited, only metadata changed, or
// unchanged. Pure. What a source leaves out never erases what is known.
import type { Listing } from "../domain/listing.ts";
import { type Review, reviewIdOf, type SourceReview } from "../domain/review.ts";
import type { ReviewChange } from "../domain/review-change.ts";
import type { IngestBatch } from "./ingest-batch.ts";

export type IdentifiedReview = { id: string; review: SourceReview };

/** Gives each review its id; of a review that stands twice in a batch the newer version counts. */
export function assignIds(listing: Listing, reviews: readonly SourceReview[]): IdentifiedReview[] {
  const byId = new Map<string, IdentifiedReview>();
  for (const review of reviews) {
    const id = reviewIdOf({ ...listing, storeReviewId: review.storeReviewId });
    const earlier = byId.get(id);
    if (earlier && time(earlier.review.date) > time(review.date)) continue;
    byId.set(id, { id, review });
  }
  return [...byId.values()];
}

export function diffReviews(
  batch: Pick<IngestBatch, "listing" | "source" | "undatedAt">,
  {
    identified,
    known,
    now,
  }: { identified: readonly IdentifiedReview[]; known: ReadonlyMap<string, Review>; now: Date },
): ReviewChange[] {
  return identified.map(({ id, review }): ReviewChange => {
    const before = known.get(id);
    const date = review.date ?? batch.undatedAt ?? now;
    const normalized = normalizeForStore(batch.listing, review);
    if (!before)
      return { kind: "new", before: null, after: toReview({ id, review: normalized, date, now }) };
    if (isStale(batch.source, { sourceDate: review.date, date, knownDate: before.date })) {
      return { kind: "unchanged", before, after: before };
    }
    return compareVersions({ before, review: normalized, date, now });
  });
}

/** A page can be an older copy than the one that was read before. */
function isStale(
  source: IngestBatch["source"],
  { sourceDate, date, knownDate }: { sourceDate: Date | null; date: Date; knownDate: Date },
): boolean {
  if (source === "import") return false;
  if (source === "store") return date < knownDate;
  return sourceDate === null || sourceDate <= knownDate;
}

function compareVersions(pair: {
  before: Review;
  review: SourceReview;
  date: Date;
  now: Date;
}): ReviewChange {
  const { before, review, date, now } = pair;
  const after = updateMetadata(before, review);
  if (isEdited(before, review)) {
    const { rating, title, text } = review;
    const reset = { analysis: null, translation: null, editedAt: now };
    return { kind: "edited", before, after: { ...after, rating, title, text, date, ...reset } };
  }
  const isSame =
    after.author === before.author &&
    after.version === before.version &&
    after.votes === before.votes &&
    after.reply?.text === before.reply?.text &&
    time(after.reply?.at ?? null) === time(before.reply?.at ?? null) &&
    time(after.date) === time(before.date);
  return isSame
    ? { kind: "unchanged", before, after: before }
    : { kind: "metadata_changed", before, after };
}

/** What makes an edit: rating, title or text. */
function isEdited(before: Review, review: SourceReview): boolean {
  return (
    before.rating !== review.rating || before.title !== review.title || before.text !== review.text
  );
}

// "" and null mean that the source does not say, which changes nothing.
function updateMetadata(before: Review, review: SourceReview): Review {
  return {
    ...before,
    author: review.author || before.author,
    version: review.version || before.version,
    date: review.date ?? before.date,
    votes: review.votes ?? before.votes,
    reply: review.reply ?? before.reply,
  };
}

function toReview(first: { id: string; review: SourceReview; date: Date; now: Date }): Review {
  const { id, review, date, now } = first;
  return {
    ...review,
    id,
    date,
    country: review.country ?? "",
    analysis: null,
    translation: null,
    firstSeenAt: now,
    editedAt: null,
  };
}

/** As it is saved: Google Play has no titles, whatever an import says. */
export function normalizeForStore(listing: Listing, review: SourceReview): SourceReview {
  return listing.store === "googleplay" ? { ...review, title: null } : review;
}

function time(moment: Date | null): number {
  return moment?.getTime() ?? 0;
}
