// How long it takes to read all feeds of a store once, at the pace of requests that the operator chose, and
// whether that is more than the interval. An estimate from what the feeds took before. Pure.

import { dayMs, minuteMs, secondMs } from "../../lib/timestamp.ts";
import type { StoreId } from "../store/store-id.ts";
import { storeTraits } from "../store/store-traits.ts";

/** The load on the public pages of a store, by all workspaces together: they share one pace. */
export type StoreLoad = {
  store: StoreId;
  /** Storefronts or languages of apps that are read each interval. */
  feedCount: number;
  /** Requests of a day for the rest: full crawls, ratings, and feeds that are empty, fail or make room for others. */
  dailyRequestCount: number;
  /** The same two if no feed made room for others. */
  wholeFeedCount: number;
  wholeDailyRequestCount: number;
};

type RoundLoad = Pick<StoreLoad, "store" | "feedCount" | "dailyRequestCount">;

export type ReadingPace = { requestsPerSecond: number; intervalMinutes: number };

export type ReadingRound = {
  intervalMinutes: number;
  /** null: longer than a day, because the full crawls and ratings of a day alone take all requests. */
  roundMinutes: number | null;
  /** In words, when a round takes longer than the interval; else null. */
  note: string | null;
};

/** The gap between two requests varies: it is this many times what the pace says, on average. */
const meanGap = 1.1;

/** Whether the feeds of a store can't all be read within the interval. It does not depend on which make room. */
export function isCrowded(load: StoreLoad, pace: ReadingPace): boolean {
  const crawlsPerDay = dayMs / minuteMs / pace.intervalMinutes;
  const neededPerDay = load.wholeFeedCount * crawlsPerDay + load.wholeDailyRequestCount;
  return neededPerDay > countRequestsPerDay(pace);
}

function countRequestsPerDay({ requestsPerSecond }: ReadingPace): number {
  return ((dayMs / secondMs) * requestsPerSecond) / meanGap;
}

/** The round of the feeds that are read each interval. */
export function estimateRound(load: RoundLoad, pace: ReadingPace): ReadingRound {
  const { intervalMinutes } = pace;
  const requestsPerDay = countRequestsPerDay(pace);
  const freePerMinute = (requestsPerDay - load.dailyRequestCount) / (dayMs / minuteMs);
  const neededMinutes =
    freePerMinute > 0 ? load.feedCount / freePerMinute : Number.POSITIVE_INFINITY;
  const isEndless = neededMinutes > dayMs / minuteMs;
  const roundMinutes = isEndless ? null : Math.max(intervalMinutes, Math.ceil(neededMinutes));
  return { intervalMinutes, roundMinutes, note: describe(load, { pace, roundMinutes }) };
}

function describe(
  { store, feedCount }: RoundLoad,
  { pace, roundMinutes }: { pace: ReadingPace; roundMinutes: number | null },
): string | null {
  const { intervalMinutes, requestsPerSecond } = pace;
  if (roundMinutes !== null && roundMinutes <= intervalMinutes) return null;
  const { name, reviewsBy } = storeTraits[store];
  const duration = roundMinutes === null ? "more than a day" : `about ${inHours(roundMinutes)}`;
  const requests = requestsPerSecond === 1 ? "1 request" : `${requestsPerSecond} requests`;
  return `${name}: reading the ${feedCount} ${reviewsBy}s of all apps once takes ${duration} at ${requests} a second, more than the interval of ${intervalMinutes} minutes`;
}

function inHours(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} minutes` : `${hours} h ${minutes % 60} min`;
}
