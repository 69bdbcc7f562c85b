// How often the reviews of a feed are read. Where a store can't be asked for all lists within the interval that the
// operator chose, quiet ones make room for those with news: each is read by the pace of its own latest reviews. Pure.
import { dayMs, minuteMs } from "../../lib/timestamp.ts";

/** In minutes. Equal where all lists can be read within the interval, and for a workspace's own account. */
export type IntervalBounds = { intervalMinutes: number; intervalMinutesMax: number };

/** So many of the latest reviews say how often there is news: a burst is noticed at once, and soon forgotten. */
const latestCount = 3;
/** Within the time between two reviews of a list. */
const crawlsPerReview = 4;

/** Dates of the latest reviews of a list, the newest first, with one more. */
export function addToLatest(latest: readonly Date[], date: Date): Date[] {
  return [...latest, date]
    .sort((one, other) => other.getTime() - one.getTime())
    .slice(0, latestCount);
}

/** After a crawl that saw these latest reviews. @param crawl.latest the newest first; none: the list is empty */
export function intervalByNews(
  { latest, now }: { latest: readonly Date[]; now: Date },
  { intervalMinutes, intervalMinutesMax }: IntervalBounds,
): number {
  const oldest = latest.at(-1);
  if (!oldest) return Math.max(intervalMinutes, intervalMinutesMax);
  const meanGapMinutes = (now.getTime() - oldest.getTime()) / latest.length / minuteMs;
  return bounded(Math.round(meanGapMinutes / crawlsPerReview), {
    intervalMinutes,
    intervalMinutesMax,
  });
}

/** Twice what it was for a list that stays empty, at most a day, or longer where lists have to make room. */
export function intervalOfEmptyFeed(waitedMinutes: number, bounds: IntervalBounds): number {
  const { intervalMinutes, intervalMinutesMax } = bounds;
  const longest = Math.max(dayMs / minuteMs, intervalMinutesMax);
  return bounded(Math.round(2 * waitedMinutes), { intervalMinutes, intervalMinutesMax: longest });
}

// A list that is read every few days holds few reviews that are new; the rest of it can wait longer.
const crawlsPerFullCrawl = 7;
const fullCrawlMsMax = 28 * dayMs;

/** Full crawls come once a day; of a list that makes room, once in seven crawls. */
export function fullCrawlWaitMs(feedMinutes: number, { intervalMinutes }: IntervalBounds): number {
  if (feedMinutes <= intervalMinutes) return dayMs;
  const waitMs = crawlsPerFullCrawl * feedMinutes * minuteMs;
  return Math.min(Math.max(dayMs, waitMs), fullCrawlMsMax);
}

function bounded(minutes: number, { intervalMinutes, intervalMinutesMax }: IntervalBounds): number {
  return Math.max(intervalMinutes, Math.min(minutes, intervalMinutesMax));
}
