// Decides about the reviews of a crawl before any of them is saved: reads the state of their source and asks `decidePage`.
// A page that is held back ends the crawl, and nothing of it is saved; the watermark stays, so that nothing is lost.
import { type CrawlPage, endQuarantined } from "../domain/feed/crawl-state.ts";
import type { QuarantinedPage } from "../domain/feed/page-quarantine.ts";
import {
  decidePage,
  type Judgement,
  lastingKinds,
  type SourceKey,
  stateOf,
} from "../domain/feed/source-trust.ts";
import type { Review } from "../domain/review/review.ts";
import { hasReplies } from "./diff-reviews.ts";
import type {
  AskedPage,
  IdentifiedReview,
  IngestBatch,
  IngestResult,
  ReviewRepository,
} from "./ingest-batch.ts";
import { hasLostField, judgeOnItsOwn, waiting } from "./page-causes.ts";
import { comparable, comparedFields } from "./same-reviews.ts";

type CrawlPageJudgement =
  | {
      kind: "accepted";
      isSuspicious: boolean;
      hasLostField: boolean;
      /** The page is right by itself: it speaks for others of its source. */
      isRight: boolean;
      crawlPage: CrawlPage | undefined;
    }
  | { kind: "quarantined"; crawlPage: CrawlPage; page: QuarantinedPage; error: string }
  /** Nothing is saved; the same page again with the testimony of others. */
  | { kind: "ask"; page: AskedPage }
  /** Reviews of another place of the store, which are left out. */
  | { kind: "dropped" };

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

type ReadReviews = {
  identified: readonly IdentifiedReview[];
  known: ReadonlyMap<string, Review>;
  /** Saving them would change nothing. */
  isQuiet: boolean;
  /** Two shapes read them in different ways, and known reviews don't show which one is right. */
  isAmbiguous: boolean;
  now: Date;
};

/** The same page by each shape that is in use. */
export function readingsOf(batch: IngestBatch): IngestBatch[] {
  const { others = [], ...first } = batch;
  const { crawlPage } = batch;
  return [
    first,
    ...others.map(({ rejectedCount, ...reading }) => ({
      ...first,
      ...reading,
      ...(crawlPage && { crawlPage: { ...crawlPage, rejectedCount } }),
    })),
  ];
}

type IdentifiedBatch = { batch: IngestBatch; identified: readonly IdentifiedReview[] };

/**
 * The reading that known reviews show to be right, or that does not look odd.
 *
 * @throws Error without a reading, which is a bug
 */
export function chooseReading(
  readings: readonly IdentifiedBatch[],
  known: ReadonlyMap<string, Review>,
): IdentifiedBatch & { isAmbiguous: boolean } {
  const [first] = readings;
  if (!first) throw new Error("a page has no reading");
  if (readings.length === 1) return { ...first, isAmbiguous: false };
  const judged = readings.map((reading) => ({
    reading,
    kind: judgeReviews(reading.batch, { identified: reading.identified, known }).kind,
  }));
  const of = (kind: Judgement["kind"]) => judged.filter((one) => one.kind === kind);
  const fitting = of("right").length > 0 ? of("right") : of("unjudged");
  const [best, ...others] = fitting.sort(
    (one, other) => countFields(other.reading) - countFields(one.reading),
  );
  if (!best) return { ...first, isAmbiguous: false };
  if (others.every(({ reading }) => agree(best.reading, reading)))
    return { ...best.reading, isAmbiguous: false };
  const sole = [best, ...others].find(({ reading: { batch } }) => batch.shape === batch.soleShape);
  return { ...(sole ?? best).reading, isAmbiguous: sole === undefined };
}

const isMissing = (value: unknown): boolean => (value ?? "") === "";

function countFields({ identified }: IdentifiedBatch): number {
  return identified.reduce(
    (count, { review }) => count + comparedFields.filter((name) => !isMissing(review[name])).length,
    0,
  );
}

/** The same reviews with the same values, but for those that one of the shapes has no place for. */
function agree(one: IdentifiedBatch, other: IdentifiedBatch): boolean {
  const byId = new Map(other.identified.map(({ id, review }) => [id, review]));
  return (
    one.identified.length === byId.size &&
    one.identified.every(({ id, review }) => {
      const beside = byId.get(id);
      return comparedFields.every(
        (name) =>
          beside !== undefined &&
          (isMissing(review[name]) ||
            isMissing(beside[name]) ||
            comparable(review[name]) === comparable(beside[name])),
      );
    })
  );
}

type JudgeRepository = Pick<ReviewRepository, "readOddFeeds">;

export async function judgeCrawlPage(
  tx: JudgeRepository,
  batch: IngestBatch,
  read: ReadReviews,
): Promise<CrawlPageJudgement> {
  const { crawlPage } = batch;
  const hasLost = crawlPage !== undefined && hasLostField(read);
  const accepted = {
    kind: "accepted" as const,
    isSuspicious: false,
    hasLostField: hasLost,
    isRight: false,
    crawlPage,
  };
  const feed = crawlPage?.feed ?? batch.fallbackOf?.feed;
  if (!feed) return accepted;
  const judgement = judgeReviews(batch, read);
  if (judgement.kind === "right" && !read.isAmbiguous) return { ...accepted, isRight: true };
  if (judgement.kind === "unjudged" && read.isQuiet) return accepted;
  const source = sourceOf(batch);
  const odd = await tx.readOddFeeds({ ...source, ...feed, now: read.now });
  const decision = decidePage({
    judgement:
      judgement.kind === "right"
        ? { kind: "unjudged", suspicion: waiting(read, "two layouts read them in different ways") }
        : judgement,
    isAmbiguous: read.isAmbiguous,
    source: source.source,
    odd,
    testimony: crawlPage?.testimony ?? batch.fallbackOf?.testimony ?? null,
    quarantined: crawlPage ? feed.quarantinedPage : null,
    acceptedKind: crawlPage?.checkpoint.acceptedKind ?? null,
    isAcceptedByUser: crawlPage?.isAcceptedByUser ?? false,
    now: read.now,
  });
  if (decision.kind === "ask") {
    const isNew = read.identified.every(({ id }) => !read.known.has(id));
    return { kind: "ask", page: { isNew, isOnTrial: stateOf(odd) === "on_trial" } };
  }
  if (!crawlPage) return decision.kind === "accepted" ? accepted : { kind: "dropped" };
  if (decision.kind === "held") return { ...decision, kind: "quarantined", crawlPage };
  if (decision.acceptedKind === null) return accepted;
  const { acceptedKind } = decision;
  const checkpoint = { ...crawlPage.checkpoint, acceptedKind };
  // Pages that a person accepts change known reviews silently; a change that time confirms is an edit like others.
  const isSuspicious = !lastingKinds.includes(acceptedKind);
  return { ...accepted, isSuspicious, crawlPage: { ...crawlPage, checkpoint } };
}

function judgeReviews(
  batch: IngestBatch,
  { identified, known }: Pick<ReadReviews, "identified" | "known">,
): Judgement {
  const { crawlPage } = batch;
  const feed = crawlPage?.feed ?? batch.fallbackOf?.feed;
  // Imports are of a person who knows them.
  if (!feed) return { kind: "right" };
  const judgement = judgeOnItsOwn({
    store: batch.listing.store,
    identified,
    known,
    feed,
    rejectedCount: crawlPage?.rejectedCount ?? 0,
    isFirstPage: crawlPage?.isFirstPage ?? false,
    hasReplies: hasReplies(batch),
    isLagging: batch.source === "export",
  });
  // Another place of the store may have other words for a known review, which stays as it is.
  const isAlone = judgement.kind === "odd" && judgement.suspicion.kind === "changed_alone";
  if (!batch.fallbackOf || !isAlone || !judgement.isMostlyKnown) return judgement;
  return { kind: "unjudged", suspicion: judgement.suspicion };
}

/** Private listings are of their workspace alone: it fills its account and its imports. */
export function sourceOf({ listing, source }: Pick<IngestBatch, "listing" | "source">): SourceKey {
  const isOfficial = (listing.credentialId ?? null) !== null;
  return {
    store: listing.store,
    source: isOfficial ? (source === "export" ? "export" : "official") : "public",
    workspaceId: listing.workspaceId ?? null,
  };
}

/** Ends the crawl: nothing of the page is saved, and it is read again later. */
export async function saveQuarantine(
  tx: Pick<ReviewRepository, "finishFeed">,
  { crawlPage, ...held }: CrawlPageJudgement & { kind: "quarantined" },
): Promise<typeof nothingSaved> {
  const decision = endQuarantined(crawlPage, held);
  const isLeaseHeld = await tx.finishFeed({ ...crawlPage.feed, ...decision.end });
  return { ...nothingSaved, decision, isLeaseHeld };
}
