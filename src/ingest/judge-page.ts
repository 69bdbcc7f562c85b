// Decides about a crawl's page that looks wrong: quarantined, which ends the crawl and saves nothing of it,
// or accepted because a second reading or a user agreed.
import { type CrawlPage, endQuarantined } from "../domain/crawl-state.ts";
import { judgePage, type QuarantinedPage } from "../domain/page-quarantine.ts";
import type { Review } from "../domain/review.ts";
import { dayMs } from "../lib/timestamp.ts";
import { hasReplies, type IdentifiedReview } from "./diff-reviews.ts";
import type { IngestBatch, IngestResult, ReviewRepository } from "./ingest-batch.ts";
import { findPageSuspicion, hasLostField } from "./page-suspicion.ts";

type CrawlPageVerdict =
  | {
      kind: "accepted";
      isSuspicious: boolean;
      hasLostField: boolean;
      crawlPage: CrawlPage | undefined;
    }
  | { kind: "quarantined"; crawlPage: CrawlPage; page: QuarantinedPage };

/** The result when the crawl lost its feed, or the page was not accepted. */
export const nothingSaved: IngestResult & { jobCount: number } = {
  newCount: 0,
  editedCount: 0,
  metadataChangedCount: 0,
  lateCount: 0,
  unchangedCount: 0,
  queuedCount: 0,
  jobCount: 0,
  decision: null,
  isLeaseHeld: false,
};

/** For so long an operator's word counts: by then all feeds have been read. */
const acceptedMs = 7 * dayMs;

export async function judgeCrawlPage(
  tx: Pick<ReviewRepository, "noteOddPage" | "endLayoutIncident" | "isShapeTried">,
  batch: IngestBatch,
  read: { identified: readonly IdentifiedReview[]; known: ReadonlyMap<string, Review> },
): Promise<CrawlPageVerdict> {
  const { crawlPage, listing } = batch;
  const hasLost = crawlPage !== undefined && hasLostField(read);
  const accepted = {
    ...{ kind: "accepted" as const, isSuspicious: false },
    ...{ hasLostField: hasLost, crawlPage },
  };
  if (!crawlPage) return accepted;
  const { feed, checkpoint, isFirstPage, isAcceptedByUser, moment } = crawlPage;
  const { store } = listing;
  const acceptedBefore = new Date(moment.now.getTime() - acceptedMs);
  const suspicion = findPageSuspicion({
    ...{ ...read, feed, isFirstPage },
    hasReplies: hasReplies(batch),
  });
  if (!suspicion) {
    const { quarantinedPage } = feed;
    if (quarantinedPage)
      await tx.endLayoutIncident({ store, kind: quarantinedPage.kind, acceptedBefore });
    return accepted;
  }
  const { kind, reason } = suspicion;
  const { id: listingId } = listing;
  const odd = { store, kind, reason, listingId, region: feed.region, now: moment.now };
  const incident = await tx.noteOddPage(odd);
  const isAccepted = incident.acceptedAt !== null && incident.acceptedAt > acceptedBefore;
  const words = (await tx.isShapeTried(store))
    ? triedWords
    : incident.isOpen
      ? incidentWords
      : null;
  const isIncident = words !== null && !isAccepted;
  const verdict = judgePage({
    suspicion: isIncident ? { ...suspicion, reason: `${reason}; ${words}` } : suspicion,
    quarantined: feed.quarantinedPage,
    acceptedKind: isIncident ? null : checkpoint.acceptedKind,
    isAcceptedByUser: isAcceptedByUser || isAccepted,
    isIncident,
    now: moment.now,
  });
  if (verdict.kind === "quarantined") return { ...verdict, crawlPage };
  const confirmed = { ...checkpoint, acceptedKind: kind };
  return { ...accepted, isSuspicious: true, crawlPage: { ...crawlPage, checkpoint: confirmed } };
}

const triedWords =
  "the store's layout has changed, and where its fields are now is being tried: held back meanwhile (starpost shape list)";
const incidentWords =
  "other feeds of the store show the same, so its layout may have changed: held back until a page passes (starpost incident list)";

/** Ends the crawl: nothing of the page is saved, and it is read again later. */
export async function saveQuarantine(
  tx: Pick<ReviewRepository, "finishFeed">,
  { crawlPage, page }: CrawlPageVerdict & { kind: "quarantined" },
): Promise<typeof nothingSaved> {
  const decision = endQuarantined(crawlPage, page);
  const isLeaseHeld = await tx.finishFeed({ ...crawlPage.feed, ...decision.end });
  return { ...nothingSaved, decision, isLeaseHeld };
}
