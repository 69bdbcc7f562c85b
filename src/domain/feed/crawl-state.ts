// The state of a feed's crawl: where it begins, what is saved with each page, whether it goes on, and
// what its end says of the feed. Pure: the same values give the same decision.
import { dayMs, hourMs, minuteMs } from "../../lib/timestamp.ts";
import type { ReviewChange } from "../review/review.ts";
import { scheduleReviews } from "./crawl-schedule.ts";
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd, FeedOutcome } from "./feed.ts";
import {
  addToLatest,
  fullCrawlWaitMs,
  type IntervalBounds,
  intervalByNews,
  intervalOfEmptyFeed,
} from "./feed-interval.ts";
import type { QuarantinedPage } from "./page-quarantine.ts";
import type { Testimony } from "./source-trust.ts";

/** The inputs of a decision besides the feed. `random` is in [0, 1). */
export type CrawlMoment = IntervalBounds & { now: Date; random: number };

/** A crawl after one of its pages. */
export type CrawlState = {
  feed: ClaimedFeed;
  checkpoint: CrawlCheckpoint;
  /** The store holds more reviews than it shows. */
  isCapped: boolean;
  /** Why an earlier page of this crawl could not be read; null when all could. */
  error: string | null;
  /** Details that could not be read, in words. */
  note?: string | undefined;
  /** See `missingPart` of the feed. */
  missingPart?: string | undefined;
  /** Why the end of the list is not believed, in words. */
  cutShort?: string | undefined;
};

// The cursors of a store expire, and new reviews pile up above the place where a crawl was cut off.
const resumeAgeMsMax = dayMs;
// The largest stores show 150 reviews a page. More pages than this mean that the cursors repeat.
const pageCountMax = 10_000;
// A daily full crawl at one page a second must leave time for other feeds.
const fullCrawlPageCountMax = 200;

/** The backfill is a full crawl; later crawls are full once a day, for gaps, late reviews and deep edits. */
export function startCrawl(feed: ClaimedFeed, now: Date): CrawlCheckpoint {
  const { baselineAt, fullCrawlAt, fullCrawlDueAt } = feed;
  // A full crawl that lies ahead was scheduled by a clock that was wrong.
  const isPast = fullCrawlAt === null || fullCrawlAt <= now;
  return {
    startedAt: now,
    savedAt: now,
    isFullCrawl: baselineAt === null || fullCrawlDueAt === null || fullCrawlDueAt <= now || !isPast,
    pageCount: 0,
    reviewCount: 0,
    rejectedCount: 0,
    newCount: 0,
    editedCount: 0,
    gapCount: 0,
    sawFirstPage: false,
    headCount: 0,
    isUnordered: false,
    acceptedKind: null,
    latest: [],
    newest: null,
    oldest: null,
    cursor: null,
  };
}

/** Where a crawl that was cut off goes on; null when it is better to begin at the top. */
export function findResumable(feed: ClaimedFeed, now: Date): CrawlCheckpoint | null {
  const { checkpoint } = feed;
  // A crawl down to the watermark is short: from the top it also finds what has been added since.
  if (!checkpoint?.isFullCrawl || checkpoint.cursor === null) return null;
  return now.getTime() - checkpoint.savedAt.getTime() <= resumeAgeMsMax ? checkpoint : null;
}

/** A page of reviews as a value: all that decides what becomes of the crawl, but for the changes. */
export type CrawlPage = CrawlState & {
  /** Its cursor, or all of its reviews, were in this crawl before. */
  isRepeated: boolean;
  isFirstPage: boolean;
  /** Its dates descend. */
  isInOrder: boolean;
  /** A user vouches for pages that look wrong. */
  isAcceptedByUser: boolean;
  /** Items of this page that could not be read as reviews. */
  rejectedCount: number;
  /** Full pages of the source that were read after this one; null before they are asked. */
  testimony: Testimony | null;
  /** Where the next crawl goes on should this page not count. */
  resumeAt: CrawlCheckpoint;
  leasedUntil: Date;
  moment: CrawlMoment;
};

/** The changes to save in the transaction of a page's reviews; `end` null: the crawl goes on. */
export type CheckpointDecision = {
  checkpoint: CrawlCheckpoint;
  leasedUntil: Date;
  end: CrawlEnd | null;
};

/** @param page.checkpoint counts the page, except for what only the changes say */
export function decideCheckpoint(
  page: CrawlPage,
  changes: readonly ReviewChange[],
): CheckpointDecision {
  const checkpoint = { ...page.checkpoint };
  checkpoint.isUnordered ||= !page.isInOrder;
  checkpoint.oldest = oldestOf(changes) ?? checkpoint.oldest;
  for (const { kind, after } of changes) {
    // A guess or a date ahead would hide what is written until then.
    const counts = !after.isDateAssumed && after.date <= page.moment.now;
    if (counts) checkpoint.latest = addToLatest(checkpoint.latest, after.date);
    if (counts && (!checkpoint.newest || after.date > checkpoint.newest)) {
      checkpoint.newest = after.date;
    }
    if (kind === "new") checkpoint.newCount += 1;
    if (kind === "edited") checkpoint.editedCount += 1;
  }
  const { leasedUntil, moment } = page;
  const stop = findStop({ ...page, checkpoint }, changes);
  const end = stop && endCrawl({ ...page, checkpoint }, { stop, moment });
  return { checkpoint, leasedUntil, end };
}

function oldestOf(changes: readonly ReviewChange[]): Date | null {
  const dates = changes.map(({ after }) => after.date);
  return dates.reduce<Date | null>(
    (oldest, date) => (oldest && oldest < date ? oldest : date),
    null,
  );
}

function findStop(page: CrawlPage, changes: readonly ReviewChange[]): CrawlStop | null {
  const { feed, checkpoint, isCapped } = page;
  if (!checkpoint.isFullCrawl && page.isInOrder && hasCaughtUp(page, changes)) {
    return { reason: "caught up with the last crawl", isComplete: false, isCapped };
  }
  if (checkpoint.cursor === null) {
    const reason = isCapped ? "the store shows no further pages" : "end of the list";
    return { reason, isComplete: true, isCapped };
  }
  if (page.isRepeated) {
    return { reason: "the list repeats itself", isComplete: true, isCapped: true };
  }
  // A list in no order could lead through all of an app's reviews every hour.
  const isDaily = feed.baselineAt !== null && (checkpoint.isFullCrawl || checkpoint.isUnordered);
  const deepest = isDaily ? fullCrawlPageCountMax : pageCountMax;
  if (checkpoint.pageCount < deepest) return null;
  return { reason: `${deepest} pages, the most of one crawl`, isComplete: true, isCapped };
}

// So many at the end of a page: a single one may be there because of an edit or a mistake of the store.
const knownCountMin = 3;

// Stores list the latest edit first: below known, unedited reviews at or under the watermark everything is
// known. A known review alone is not a sign, because edits move reviews to the top.
function hasCaughtUp({ feed, moment }: CrawlPage, changes: readonly ReviewChange[]): boolean {
  const { watermark } = feed;
  const last = changes.slice(-knownCountMin);
  return (
    watermark !== null &&
    last.length > 0 &&
    last.every(
      ({ kind, after }) =>
        (kind === "unchanged" || kind === "metadata_changed") &&
        after.date <= watermark &&
        after.date <= moment.now,
    )
  );
}

// Reviews missed behind a gap are looked for again before the day is over.
const repeatFullCrawlMs = 4 * hourMs;

/** Why a crawl stops; `isComplete`: it read all that the store shows. */
type CrawlStop = { reason: string; isComplete: boolean; isCapped: boolean };

/**
 * The end of a crawl that nothing cut off. One that never saw the first page may have missed the newest
 * reviews, and one that could parse nothing knows nothing: both are `unknown` and leave the watermark.
 */
export function endCrawl(
  state: CrawlState,
  { stop, moment }: { stop: CrawlStop; moment: CrawlMoment },
): CrawlEnd {
  const { feed, checkpoint, error, cutShort } = state;
  const { gapCount, reviewCount, rejectedCount } = checkpoint;
  const failure = !checkpoint.sawFirstPage
    ? (error ?? "the first page stayed empty")
    : reviewCount === 0 && rejectedCount > 0
      ? `nothing that the store sent could be read as a review (${rejectedCount} items)`
      : null;
  const capped = { ...state, isCapped: stop.isCapped || cutShort !== undefined };
  if (failure !== null) {
    return endUnknown(capped, { stopReason: stop.reason, error: failure, moment });
  }
  const { fullPageCount } = feed;
  const isShorter = isMuchShorter(checkpoint.pageCount, fullPageCount);
  const isShort = checkpoint.isFullCrawl && (isShorter || cutShort !== undefined);
  // The crawl looked for a known review and met the end of the list, or the list was much longer before: it may be cut
  // short.
  const isCut =
    stop.isComplete &&
    (checkpoint.isFullCrawl ? isShort : stop.isCapped || feed.watermark !== null);
  const gaps = gapCount > 0 ? `; ${gapCount} pages stayed empty on the way` : "";
  const order = checkpoint.isUnordered ? "; the store's order was not by date" : "";
  const short =
    isShort && isShorter
      ? `; the list ended after ${checkpoint.pageCount} pages, and after ${fullPageCount} before`
      : "";
  const rejected = rejectedCount > 0 ? `; ${rejectedCount} items were no valid reviews` : "";
  const notes = [cutShort, state.note, state.missingPart].map((note) =>
    note === undefined ? "" : `; ${note}`,
  );
  const stopReason = [stop.reason, short, gaps, order, rejected, ...notes].join("");
  const outcome = reviewCount > 0 ? "ok" : "empty";
  const end = describeEnd(capped, { outcome, stopReason, error: null, moment });
  return {
    ...end,
    watermark: laterOf(feed.watermark, checkpoint.newest),
    baselineAt: feed.baselineAt ?? moment.now,
    missingPart: stop.isComplete ? (state.missingPart ?? null) : feed.missingPart,
    headCount: checkpoint.headCount,
    fullCrawlAt: stop.isComplete ? moment.now : feed.fullCrawlAt,
    // A list that stays short is believed in the end.
    fullPageCount: isShort
      ? Math.ceil(fullPageCount * 0.75)
      : stop.isComplete
        ? checkpoint.pageCount
        : fullPageCount,
    fullCrawlDueAt: nextFullCrawlDueAt(feed, {
      isComplete: stop.isComplete && (!isCut || isShort),
      mayHaveMissed: gapCount > 0 || isCut,
      waitMs: fullCrawlWaitMs(end.intervalMinutes ?? moment.intervalMinutes, moment),
      moment,
    }),
  };
}

/** Lists grow and shrink by a page; few pages say nothing. */
function isMuchShorter(pageCount: number, before: number): boolean {
  return before >= 4 && pageCount * 2 < before;
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
  held: { page: QuarantinedPage; error: string },
): CheckpointDecision & { end: CrawlEnd } {
  const { resumeAt, leasedUntil, moment } = page;
  const end = endUnknown(
    { ...page, checkpoint: { ...page.checkpoint, reviewCount: resumeAt.reviewCount } },
    {
      stopReason: "quarantined until it is read again",
      error: held.error,
      moment,
      resumeAt,
      quarantinedPage: held.page,
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
    ...scheduleReviews({
      ...moment,
      feed,
      intervalMinutes,
      isDone: outcome !== "unknown",
      hasProgressed: hasProgressed(state, ending),
      retryAfterMs: ending.retryAfterMs ?? null,
    }),
    lastError: ending.error,
    missingPart: feed.missingPart,
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
    headCount: feed.headCount,
    intervalMinutes,
    checkpoint: ending.resumeAt ?? null,
    checkedAt: moment.now,
  };
}

/** Whether the next crawl goes on further down the list than this one did. */
function hasProgressed({ feed, checkpoint }: CrawlState, { resumeAt }: Ending): boolean {
  if (!resumeAt?.isFullCrawl || resumeAt.cursor === null) return false;
  const before = findResumable(feed, checkpoint.startedAt);
  return resumeAt.pageCount > (before?.pageCount ?? 0);
}

/** The feed's schedule from now on. */
function intervalAfter(
  { feed, checkpoint }: CrawlState,
  outcome: FeedOutcome,
  moment: CrawlMoment,
) {
  const { now, intervalMinutes } = moment;
  // A failed crawl is retried like that of any other feed.
  if (outcome === "unknown") return intervalMinutes;
  if (outcome === "ok") return intervalByNews({ latest: checkpoint.latest, now }, moment);
  if (feed.outcome !== "empty" || feed.checkedAt === null) return intervalMinutes;
  return intervalOfEmptyFeed((now.getTime() - feed.checkedAt.getTime()) / minuteMs, moment);
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one > other ? one : other;
}
