// The state of a feed's crawl: where it begins, what is saved with each page, whether it goes on, and
// what its end says of the feed. Pure: the same values give the same decision. The diagram is in
// docs/collecting.md.
import { dayMs } from "../lib/timestamp.ts";
import { type CrawlStop, endCrawl } from "./crawl-end.ts";
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd } from "./feed.ts";
import { addToLatest, type IntervalBounds } from "./feed-interval.ts";
import type { ReviewChange } from "./review-change.ts";

/** What a decision depends on beside the feed. `random` is in [0, 1). */
export type CrawlMoment = IntervalBounds & { now: Date; random: number };

/** A crawl after one of its pages. */
export type CrawlState = {
  feed: ClaimedFeed;
  checkpoint: CrawlCheckpoint;
  /** The store holds more reviews than it shows. */
  isCapped: boolean;
  /** Why an earlier page of this crawl could not be read; null when all could. */
  error: string | null;
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
  /** The page's cursor was followed before. */
  isCursorRepeated: boolean;
  /** At the top of the list. */
  isFirstPage: boolean;
  /** Its dates descend. */
  isInOrder: boolean;
  /** A user vouches for pages that look wrong. */
  isAcceptedByUser: boolean;
  /** Where the next crawl goes on should this page not count. */
  resumeAt: CrawlCheckpoint;
  leasedUntil: Date;
  moment: CrawlMoment;
};

/** What is saved in the transaction of a page's reviews; `end` null: the crawl goes on. */
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
  if (page.isCursorRepeated) {
    return { reason: "the store repeats a cursor", isComplete: true, isCapped: true };
  }
  // A list in no order could lead through all of an app's reviews every hour.
  const isDaily = feed.baselineAt !== null && (checkpoint.isFullCrawl || checkpoint.isUnordered);
  const deepest = isDaily ? fullCrawlPageCountMax : pageCountMax;
  if (checkpoint.pageCount < deepest) return null;
  return { reason: `${deepest} pages, the most of one crawl`, isComplete: true, isCapped };
}

// So many at the end of a page: one alone may stand there by an edit or a mistake of the store.
const knownCountMin = 3;

// Stores list the latest edit first: below known, unedited reviews at or under the watermark everything is
// known. A known review alone is no sign, because edits move reviews to the top.
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
