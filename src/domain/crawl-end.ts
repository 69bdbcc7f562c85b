// How a crawl ends, and what its end says of the feed: the outcome, the high-water mark, when the feed is
// crawled again. Pure.
import { hourMs, minuteMs } from "../lib/timestamp.ts";
import { nextReviewsDueAt } from "./crawl-schedule.ts";
import type { CheckpointDecision, CrawlMoment, CrawlPage, CrawlState } from "./crawl-state.ts";
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd, FeedOutcome } from "./feed.ts";
import { fullCrawlWaitMs, intervalByNews, intervalOfEmptyFeed } from "./feed-interval.ts";
import type { QuarantinedPage } from "./page-quarantine.ts";

// What was missed behind a gap is looked for again before the day is over.
const repeatFullCrawlMs = 4 * hourMs;

/** Why a crawl stops; `isComplete`: it read all that the store shows. */
export type CrawlStop = { reason: string; isComplete: boolean; isCapped: boolean };

/**
 * The end of a crawl that nothing cut off. One that never saw the first page may have missed the newest
 * reviews, and one that could parse nothing knows nothing: both are `unknown` and leave the watermark.
 */
export function endCrawl(
  state: CrawlState,
  { stop, moment }: { stop: CrawlStop; moment: CrawlMoment },
): CrawlEnd {
  const { feed, checkpoint, error } = state;
  const { gapCount, reviewCount, rejectedCount } = checkpoint;
  const failure = !checkpoint.sawFirstPage
    ? (error ?? "the first page stayed empty")
    : reviewCount === 0 && rejectedCount > 0
      ? `nothing that the store sent could be read as a review (${rejectedCount} items)`
      : null;
  const capped = { ...state, isCapped: stop.isCapped };
  if (failure !== null) {
    return endUnknown(capped, { stopReason: stop.reason, error: failure, moment });
  }
  // The crawl looked for a known review and met the end of the list: the list may be cut short.
  const isCut =
    !checkpoint.isFullCrawl && stop.isComplete && (stop.isCapped || feed.watermark !== null);
  const gaps = gapCount > 0 ? `; ${gapCount} pages stayed empty on the way` : "";
  const order = checkpoint.isUnordered ? "; the store's order was not by date" : "";
  const rejected = rejectedCount > 0 ? `; ${rejectedCount} items were no valid reviews` : "";
  const stopReason = stop.reason + gaps + order + rejected;
  const outcome = reviewCount > 0 ? "ok" : "empty";
  const end = describeEnd(capped, { outcome, stopReason, error: null, moment });
  return {
    ...end,
    watermark: laterOf(feed.watermark, checkpoint.newest),
    baselineAt: feed.baselineAt ?? moment.now,
    fullCrawlAt: stop.isComplete ? moment.now : feed.fullCrawlAt,
    fullPageCount: stop.isComplete ? checkpoint.pageCount : feed.fullPageCount,
    fullCrawlDueAt: nextFullCrawlDueAt(feed, {
      isComplete: stop.isComplete && !isCut,
      mayHaveMissed: gapCount > 0 || isCut,
      waitMs: fullCrawlWaitMs(end.intervalMinutes ?? moment.intervalMinutes, moment),
      moment,
    }),
  };
}

/** When the next full crawl is due: at once where this crawl was cut short, sooner after a gap. */
function nextFullCrawlDueAt(
  feed: ClaimedFeed,
  crawl: { isComplete: boolean; mayHaveMissed: boolean; waitMs: number; moment: CrawlMoment },
): Date | null {
  const { now, random } = crawl.moment;
  if (!crawl.isComplete) return crawl.mayHaveMissed ? now : feed.fullCrawlDueAt;
  const waitMs = crawl.mayHaveMissed ? repeatFullCrawlMs : crawl.waitMs * (0.9 + 0.2 * random);
  return new Date(now.getTime() + waitMs);
}

type Ending = {
  stopReason: string;
  error: string | null;
  moment: CrawlMoment;
  retryAfterMs?: number | null;
  /** Where the next crawl goes on. */
  resumeAt?: CrawlCheckpoint;
  /** Left out: none after a good crawl, and else the one before. */
  quarantinedPage?: QuarantinedPage;
};

/** The end of a crawl that knows nothing for sure: it moves no watermark and is tried again later. */
export function endUnknown(state: CrawlState, ending: Ending): CrawlEnd {
  return describeEnd(state, { ...ending, outcome: "unknown" });
}

/** The end of a crawl at a page that looks wrong. */
export function endQuarantined(
  page: CrawlPage,
  quarantinedPage: QuarantinedPage,
): CheckpointDecision & { end: CrawlEnd } {
  const { resumeAt, leasedUntil, moment } = page;
  const end = endUnknown(
    { ...page, checkpoint: { ...page.checkpoint, reviewCount: resumeAt.reviewCount } },
    {
      stopReason: "quarantined until it is read again",
      error: quarantinedPage.reason,
      moment,
      resumeAt,
      quarantinedPage,
    },
  );
  return { checkpoint: resumeAt, leasedUntil, end };
}

function describeEnd(state: CrawlState, ending: Ending & { outcome: FeedOutcome }): CrawlEnd {
  const { feed, checkpoint, isCapped } = state;
  const { outcome, moment } = ending;
  const intervalMinutes = intervalAfter(state, outcome, moment);
  return {
    outcome,
    watermark: feed.watermark,
    baselineAt: feed.baselineAt,
    nextDueAt: nextReviewsDueAt({
      ...moment,
      intervalMinutes,
      failureCount: outcome === "unknown" ? feed.failureCount + 1 : 0,
      retryAfterMs: ending.retryAfterMs ?? null,
    }),
    lastError: ending.error,
    pageCount: checkpoint.pageCount,
    reviewCount: checkpoint.reviewCount,
    rejectedCount: checkpoint.rejectedCount,
    truncated: isCapped,
    stopReason: ending.stopReason,
    quarantinedReading: null,
    quarantinedPage:
      ending.quarantinedPage ?? (outcome === "unknown" ? feed.quarantinedPage : null),
    fullCrawlAt: feed.fullCrawlAt,
    fullCrawlDueAt: feed.fullCrawlDueAt,
    fullPageCount: feed.fullPageCount,
    intervalMinutes,
    checkpoint: ending.resumeAt ?? null,
    checkedAt: moment.now,
  };
}

/** Of the feed from now on. */
function intervalAfter(
  { feed, checkpoint }: CrawlState,
  outcome: FeedOutcome,
  moment: CrawlMoment,
) {
  const { now, intervalMinutes } = moment;
  // What failed is tried again as soon as any other feed.
  if (outcome === "unknown") return intervalMinutes;
  if (outcome === "ok") return intervalByNews({ latest: checkpoint.latest, now }, moment);
  if (feed.outcome !== "empty" || feed.checkedAt === null) return intervalMinutes;
  return intervalOfEmptyFeed((now.getTime() - feed.checkedAt.getTime()) / minuteMs, moment);
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one > other ? one : other;
}
