// Crawls the reviews of one feed: newest first, page by page, down to what is known or to the end of the
// list. Each page is saved together with the crawl's checkpoint; the watermark moves only with the page
// that ends a good crawl. See domain/crawl-state.ts for the decision after each page.
import { endCrawl, startCrawl } from "../domain/crawl-state.ts";
import { type CrawlCheckpoint, overBudget } from "../domain/feed.ts";
import { judgePage, type PageVerdict } from "../domain/page-quarantine.ts";
import type { SourceReview } from "../domain/review.ts";
import type { FetchedPage, UnknownOutcome } from "../stores/store.ts";
import { type CrawlReport, leaseLost, reportCheckpoint } from "./crawl-report.ts";
import {
  closeRun,
  countPage,
  finishRun,
  finishUnknown,
  followCursor,
  momentOf,
  postponeRun,
  type ReviewCrawl,
  type ReviewCrawlDeps,
  type Run,
  releaseRun,
  startRun,
  stateOf,
  stopRun,
  yieldRun,
} from "./crawl-run.ts";
import { leaseEnd } from "./feed-lease.ts";
import { fetchWithRetry } from "./retry.ts";

export async function crawlReviews(
  deps: ReviewCrawlDeps,
  crawl: ReviewCrawl,
): Promise<CrawlReport> {
  const run = startRun(deps, crawl);
  for (let pageCount = 1; !run.isOver; pageCount += 1) {
    await crawlPage(deps, run);
    crawl.onPage?.(run.report);
    // Only a full crawl goes on at its checkpoint.
    const isLong = pageCount >= (crawl.yieldAfterPages ?? Number.POSITIVE_INFINITY);
    if (isLong && !run.isOver && run.checkpoint.isFullCrawl) await yieldRun(deps, run);
  }
  return run.report;
}

/** Reads the page at the checkpoint and saves what came; sets `isOver` where the crawl ends. */
async function crawlPage(deps: ReviewCrawlDeps, run: Run): Promise<void> {
  const { feed, listing, store, signal } = run;
  if (signal?.aborted) return releaseRun(deps, run);
  const { cursor } = run.checkpoint;
  const page = await fetchWithRetry({ ...deps, signal }, () =>
    store.fetchReviews({ externalAppId: listing.externalAppId, region: feed.region, cursor }),
  );
  // A request that was cut short because the service stops says nothing of the store.
  if (signal?.aborted && page.outcome !== "ok") return releaseRun(deps, run);
  if (page.outcome === "unknown" && page.isAside) return endWithoutPart(deps, run, page);
  if (page.outcome === "unknown" && page.isNotSent) return postponeRun(deps, run, page);
  const isBlocked = page.outcome === "unknown" && page.blocked;
  if (run.resumedFrom && cursor !== null && page.outcome !== "ok" && !isBlocked) {
    // The cursor may have expired, or the store is away: the first page shows which.
    run.checkpoint = startCrawl(feed, deps.clock.now());
    return;
  }
  run.isCapped ||= page.capped;
  if (page.outcome === "ok") return savePage(deps, run, page);
  return page.outcome === "empty" ? endAtEmptyPage(deps, run, page) : passGap(deps, run, page);
}

/** The list was read, and what is beside it can't be: the coverage says so. */
function endWithoutPart(deps: ReviewCrawlDeps, run: Run, part: UnknownOutcome): Promise<void> {
  run.note = part.reason;
  run.isCapped = true;
  const value = { reviews: [], rejectedCount: 0, copyMadeAt: null };
  return savePage(deps, run, { outcome: "ok", value, next: null, capped: true });
}

async function savePage(
  deps: ReviewCrawlDeps,
  run: Run,
  page: FetchedPage & { outcome: "ok" },
): Promise<void> {
  const { reviews, rejectedCount, copyMadeAt } = page.value;
  run.note = page.note ?? run.note;
  const checkpoint = countPage(deps, run, page.next);
  checkpoint.sawFirstPage ||= run.checkpoint.cursor === null;
  checkpoint.reviewCount += reviews.length;
  checkpoint.rejectedCount += rejectedCount;
  // Nothing, and yet more to come: the reviews of this page were left out.
  if (reviews.length + rejectedCount === 0 && page.next !== null) checkpoint.gapCount += 1;
  const { decision, isLeaseHeld, queuedCount } = await deps.ingestReviews({
    listing: run.listing,
    notifyPolicy: run.notifyPolicy,
    reviews,
    source: page.value.isExport ? "export" : "store",
    isFromWholeList: run.store.listsAllReviews ?? false,
    undatedAt: copyMadeAt,
    crawlPage: {
      ...stateOf(run, checkpoint),
      isCursorRepeated: followCursor(run, page.next),
      isFirstPage: run.checkpoint.cursor === null,
      isInOrder: isDescending(reviews),
      isAcceptedByUser: run.acceptsQuarantined ?? false,
      resumeAt: run.resumedFrom ?? run.checkpoint,
      leasedUntil: leaseEnd(deps.clock),
      moment: momentOf(deps, run),
    },
  });
  run.resumedFrom = null;
  run.checkpoint = decision?.checkpoint ?? checkpoint;
  run.report.queued += queuedCount;
  reportCheckpoint(run.report, run.checkpoint);
  if (decision?.end) closeRun(run, decision.end);
  else if (!isLeaseHeld) stopRun(run, leaseLost);
}

function isDescending(reviews: readonly SourceReview[]): boolean {
  const dates = reviews.flatMap(({ date }) => date ?? []);
  return dates.every((date, index) => index === 0 || date <= (dates[index - 1] ?? date));
}

async function endAtEmptyPage(
  deps: ReviewCrawlDeps,
  run: Run,
  { doubt }: Pick<FetchedPage, "doubt">,
): Promise<void> {
  const checkpoint = countPage(deps, run, null);
  const isFirst = run.checkpoint.cursor === null;
  // A block can look like an empty list: a feed that had reviews does not lose all of them at once.
  const suspicion =
    isFirst && run.feed.watermark !== null
      ? "the store answered with an empty list, although this feed had reviews before: the app was withdrawn here, or the store hides its reviews"
      : !isFirst && !(await isFirstPageReadable(run))
        ? "the list ended, and its beginning can no longer be read"
        : null;
  if (suspicion !== null) {
    return finishUnknown(deps, run, {
      checkpoint,
      stopReason: "empty page not accepted",
      error: suspicion,
    });
  }
  const verdict = isFirst && doubt !== undefined ? judgeEmptyPage(deps, run, doubt) : accepted;
  if (verdict.kind === "quarantined") {
    return finishUnknown(deps, run, {
      checkpoint,
      stopReason: "empty list quarantined until it is read again",
      error: verdict.page.reason,
      quarantinedPage: verdict.page,
    });
  }
  checkpoint.sawFirstPage ||= isFirst;
  const reason = isFirst ? "the store has no reviews here" : "end of the list";
  const stop = { reason, isComplete: true, isCapped: run.isCapped };
  await finishRun(
    deps,
    run,
    endCrawl(stateOf(run, checkpoint), { stop, moment: momentOf(deps, run) }),
  );
}

const accepted: PageVerdict = { kind: "accepted" };

function judgeEmptyPage({ clock }: ReviewCrawlDeps, run: Run, reason: string): PageVerdict {
  return judgePage({
    suspicion: { kind: "empty", reason, contents: {} },
    quarantined: run.feed.quarantinedPage,
    acceptedKind: null,
    isAcceptedByUser: run.acceptsQuarantined ?? false,
    now: clock.now(),
  });
}

// A block in the middle of a crawl looks like the end of the list. The first page had reviews before.
async function isFirstPageReadable({ feed, listing, store }: Run): Promise<boolean> {
  const { externalAppId } = listing;
  const first = await store.fetchReviews({ externalAppId, region: feed.region, cursor: null });
  return first.outcome === "ok";
}

/** Goes on behind a page that could not be read where the store shows the way, and else ends there. */
async function passGap(
  deps: ReviewCrawlDeps,
  run: Run,
  page: FetchedPage & { outcome: "unknown" },
): Promise<void> {
  const checkpoint = countPage(deps, run, page.next);
  checkpoint.gapCount += 1;
  run.error = page.reason;
  run.report.error = page.reason;
  // Whether a review without a date is new can't be decided.
  const dated = page.fallbackReviews?.filter(({ date }) => date !== null) ?? [];
  if (dated.length > 0) await saveFallbackReviews(deps, run, { checkpoint, reviews: dated });
  if (page.next === null || page.blocked) {
    return finishUnknown(deps, run, {
      checkpoint,
      stopReason: stopReasonOf(page),
      error: page.reason,
      retryAfterMs: page.retryAfterMs,
    });
  }
  run.checkpoint = checkpoint;
  reportCheckpoint(run.report, checkpoint);
  const saved = { ...run.feed, leasedUntil: leaseEnd(deps.clock), checkpoint };
  if (!(await deps.feeds.saveCheckpoint(saved))) stopRun(run, leaseLost);
}

function stopReasonOf({ blocked, isOverBudget }: UnknownOutcome): string {
  if (isOverBudget) return overBudget;
  return blocked ? "the store blocked the request" : "the store gave no usable answer";
}

/** Good for new reviews; says neither where to stop nor how far the feed was read. */
async function saveFallbackReviews(
  deps: ReviewCrawlDeps,
  run: Run,
  { checkpoint, reviews }: { checkpoint: CrawlCheckpoint; reviews: readonly SourceReview[] },
): Promise<void> {
  const { listing, notifyPolicy, feed: heldFeed } = run;
  const source = "fallback" as const;
  const batch = { listing, notifyPolicy, reviews, source, undatedAt: null, heldFeed };
  const saved = await deps.ingestReviews(batch);
  checkpoint.reviewCount += reviews.length;
  checkpoint.newCount += saved.newCount;
  checkpoint.editedCount += saved.editedCount;
  run.report.queued += saved.queuedCount;
}
