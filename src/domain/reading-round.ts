// How long it takes to read all feeds of a store once, at the pace of requests that the operator chose, and
// whether that is more than the interval. An estimate from what the feeds took before. Pure.
import { dayMs, minuteMs, secondMs } from "../lib/timestamp.ts";
import type { StoreId } from "./store-id.ts";

/** What the public pages of a store are read for, by all workspaces together: they share one pace. */
export type StoreLoad = {
  store: StoreId;
  /** Storefronts or languages of apps that are read each interval. */
  feedCount: number;
  /** Requests of a day for the rest: full crawls, ratings, and feeds that are empty or fail. */
  dailyRequestCount: number;
};

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

export function estimateRound(load: StoreLoad, pace: ReadingPace): ReadingRound {
  const { requestsPerSecond, intervalMinutes } = pace;
  const requestsPerDay = ((dayMs / secondMs) * requestsPerSecond) / meanGap;
  const freePerMinute = (requestsPerDay - load.dailyRequestCount) / (dayMs / minuteMs);
  const neededMinutes =
    freePerMinute > 0 ? load.feedCount / freePerMinute : Number.POSITIVE_INFINITY;
  const isEndless = neededMinutes > dayMs / minuteMs;
  const roundMinutes = isEndless ? null : Math.max(intervalMinutes, Math.ceil(neededMinutes));
  return { intervalMinutes, roundMinutes, note: describe(load, { pace, roundMinutes }) };
}

function describe(
  { store, feedCount }: StoreLoad,
  { pace, roundMinutes }: { pace: ReadingPace; roundMinutes: number | null },
): string | null {
  const { intervalMinutes, requestsPerSecond } = pace;
  if (roundMinutes !== null && roundMinutes <= intervalMinutes) return null;
  const [name, regions] =
    store === "appstore" ? ["App Store", "storefronts"] : ["Google Play", "languages"];
  const duration = roundMinutes === null ? "more than a day" : `about ${inHours(roundMinutes)}`;
  const requests = requestsPerSecond === 1 ? "1 request" : `${requestsPerSecond} requests`;
  return `${name}: reading the ${feedCount} ${regions} of all apps once takes ${duration} at ${requests} a second, more than the interval of ${intervalMinutes} minutes`;
}

function inHours(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} minutes` : `${hours} h ${minutes % 60} min`;
}
