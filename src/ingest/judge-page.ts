// What becomes of a crawl's page that looks wrong: quarantined, which ends the crawl and saves nothing of it,
// or accepted because a second reading or a user agreed.
import { type CrawlPage, endQuarantined } from "../domain/crawl-state.ts";
import { judgePage, type QuarantinedPage } from "../domain/page-quarantine.ts";
import type { Review } from "../domain/review.ts";
import { hasReplies, type IdentifiedReview } from "./diff-reviews.ts";
import type { IngestBatch, IngestResult, ReviewRepository } from "./ingest-batch.ts";
import { findPageSuspicion } from "./page-suspicion.ts";

export type CrawlPageVerdict =
  | { kind: "accepted"; isSuspicious: boolean; crawlPage: CrawlPage | undefined }
  | { kind: "quarantined"; crawlPage: CrawlPage; page: QuarantinedPage };

/** Of an ingest whose crawl lost its feed, or of a page that was not accepted. */
export const nothingSaved: IngestResult & { jobCount: number } = {
  newCount: 0,
  editedCount: 0,
  metadataChangedCount: 0,
  unchangedCount: 0,
  queuedCount: 0,
  jobCount: 0,
  decision: null,
  isLeaseHeld: false,
};

export function judgeCrawlPage(
  batch: IngestBatch,
  read: { identified: readonly IdentifiedReview[]; known: ReadonlyMap<string, Review> },
): CrawlPageVerdict {
  const { crawlPage } = batch;
  const accepted = { kind: "accepted" as const, isSuspicious: false, crawlPage };
  if (!crawlPage) return accepted;
  const { feed, checkpoint, isFirstPage, isAcceptedByUser, moment } = crawlPage;
  const suspicion = findPageSuspicion({
    ...{ ...read, feed, isFirstPage },
    hasReplies: hasReplies(batch),
  });
  if (!suspicion) return accepted;
  const verdict = judgePage({
    suspicion,
    quarantined: feed.quarantinedPage,
    acceptedKind: checkpoint.acceptedKind,
    isAcceptedByUser,
    now: moment.now,
  });
  if (verdict.kind === "quarantined") return { ...verdict, crawlPage };
  const confirmed = { ...checkpoint, acceptedKind: suspicion.kind };
  return { ...accepted, isSuspicious: true, crawlPage: { ...crawlPage, checkpoint: confirmed } };
}

/** Ends the crawl: nothing of the page is saved, and it is read again later. */
export async function saveQuarantine(
  tx: Pick<ReviewRepository, "finishFeed">,
  { crawlPage, page }: CrawlPageVerdict & { kind: "quarantined" },
): Promise<typeof nothingSaved> {
  const decision = endQuarantined(crawlPage, page);
  const isLeaseHeld = await tx.finishFeed({ ...crawlPage.feed, ...decision.end });
  return { ...nothingSaved, decision, isLeaseHeld };
}
