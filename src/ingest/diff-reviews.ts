// Compares stated reviews with what is kept: new, edited, restated or unchanged. Pure; what a store
// says of a review it does not tell fully never wipes what is known.
import type { Listing } from "../domain/listing.ts";
import { type Review, reviewIdOf, type SourceReview } from "../domain/review.ts";
import type { Change, IngestBatch } from "./ingest-batch.ts";

export type Named = { id: string; stated: SourceReview };

/** Gives each review its id; of a review that is stated twice the newer version counts. */
export function nameReviews(listing: Listing, reviews: readonly SourceReview[]): Named[] {
  const named = new Map<string, Named>();
  for (const stated of reviews) {
    const id = reviewIdOf({ ...listing, storeReviewId: stated.storeReviewId });
    const earlier = named.get(id);
    if (earlier && time(earlier.stated.date) > time(stated.date)) continue;
    named.set(id, { id, stated });
  }
  return [...named.values()];
}

export function compareReviews(
  batch: Pick<IngestBatch, "listing" | "source" | "undatedAt">,
  compared: { named: readonly Named[]; known: ReadonlyMap<string, Review>; now: Date },
): Change[] {
  return compared.named.map(({ id, stated }): Change => {
    const before = compared.known.get(id);
    const date = stated.date ?? batch.undatedAt ?? compared.now;
    const complete = completeOf(batch.listing, stated);
    if (!before) {
      return {
        kind: "new",
        before: null,
        after: firstVersion({ id, stated: complete, date, now: compared.now }),
      };
    }
    if (isStale(batch.source, { stated: stated.date, date, known: before.date })) {
      return { kind: "unchanged", before, after: before };
    }
    return compareVersions({ before, stated: complete, date, now: compared.now });
  });
}

/** A page can be an older copy than the one that was read before. */
function isStale(
  source: IngestBatch["source"],
  of: { stated: Date | null; date: Date; known: Date },
): boolean {
  if (source === "import") return false;
  if (source === "store") return of.date < of.known;
  return of.stated === null || of.stated <= of.known;
}

function compareVersions(pair: {
  before: Review;
  stated: SourceReview;
  date: Date;
  now: Date;
}): Change {
  const { before, stated } = pair;
  if (hasChanged(before, stated)) {
    const after = { ...restate(before, stated), ...contentOf(stated), date: pair.date };
    return {
      kind: "edited",
      before,
      after: { ...after, analysis: null, translation: null, editedAt: pair.now },
    };
  }
  const after = restate(before, stated);
  const isSame =
    after.author === before.author &&
    after.version === before.version &&
    after.votes === before.votes &&
    after.reply?.text === before.reply?.text &&
    time(after.reply?.at ?? null) === time(before.reply?.at ?? null) &&
    time(after.date) === time(before.date);
  return isSame
    ? { kind: "unchanged", before, after: before }
    : { kind: "restated", before, after };
}

/** What makes an edit: rating, title or text. */
function hasChanged(before: Review, stated: SourceReview): boolean {
  return (
    before.rating !== stated.rating || before.title !== stated.title || before.text !== stated.text
  );
}

// "" and null mean "the source does not tell", which is no news.
function restate(before: Review, stated: SourceReview): Review {
  return {
    ...before,
    author: stated.author || before.author,
    version: stated.version || before.version,
    date: stated.date ?? before.date,
    votes: stated.votes ?? before.votes,
    reply: stated.reply ?? before.reply,
  };
}

function contentOf(stated: SourceReview): Pick<Review, "rating" | "title" | "text"> {
  return { rating: stated.rating, title: stated.title, text: stated.text };
}

function firstVersion(first: { id: string; stated: SourceReview; date: Date; now: Date }): Review {
  const { id, stated, date, now } = first;
  return {
    ...stated,
    id,
    date,
    country: stated.country ?? "",
    analysis: null,
    translation: null,
    firstSeenAt: now,
    editedAt: null,
  };
}

/** As it would be kept: Google Play has no titles, whatever an import says. */
export function completeOf(listing: Listing, stated: SourceReview): SourceReview {
  return listing.store === "googleplay" ? { ...stated, title: null } : stated;
}

function time(moment: Date | null): number {
  return moment?.getTime() ?? 0;
}
