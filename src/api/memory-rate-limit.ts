// An exact sliding window: in any stretch of the window's length at most `limit` requests of one key
// are accepted, wherever it starts. Refused requests don't count.
import type { Clock } from "../lib/clock.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";

export type RateLimitResult = {
  accepted: boolean;
  limit: number;
  /** How many more would be accepted right now. */
  remaining: number;
  /** Whole seconds, at least 1, until a counted request leaves the window and frees its place. */
  resetSeconds: number;
};

/** Asynchronous, so that processes can share one limit through the database. */
export type RateLimit = { take(key: string): Promise<RateLimitResult> };

export type RateLimitBounds = {
  limit: number;
  windowMs: number;
  /** Beyond that many keys in one window the least recently accepted is forgotten. */
  keysMax: number;
};

export const keyLimit: RateLimitBounds = { limit: 60, windowMs: minuteMs, keysMax: 100_000 };
export const failedKeyLimit: RateLimitBounds = { limit: 30, windowMs: minuteMs, keysMax: 10_000 };

export function createMemoryRateLimit(open: { clock: Clock; bounds: RateLimitBounds }): RateLimit {
  const { limit, windowMs, keysMax } = open.bounds;
  // Moments of accepted requests per key, oldest first; the least recently accepted key first.
  const accepted = new Map<string, number[]>();
  return {
    async take(key) {
      const now = open.clock.now().getTime();
      const moments = accepted.get(key) ?? [];
      dropExpired(moments, { now, windowMs });
      const isAccepted = moments.length < limit;
      if (isAccepted) {
        moments.push(now);
        // Set again at the end: the map stays in the order of the last accepted request.
        accepted.delete(key);
      }
      accepted.set(key, moments);
      evictIdle({ accepted, now, windowMs, keysMax });
      return {
        accepted: isAccepted,
        limit,
        remaining: limit - moments.length,
        resetSeconds: Math.ceil(((moments[0] ?? now) + windowMs - now) / secondMs),
      };
    },
  };
}

function dropExpired(moments: number[], { now, windowMs }: { now: number; windowMs: number }): void {
  // A clock that was set back must neither lock a key out nor open the window.
  if ((moments.at(-1) ?? now) > now)
    moments.splice(0, Infinity, ...moments.map((moment) => Math.min(moment, now)));
  let oldCount = 0;
  while (now - (moments[oldCount] ?? now) >= windowMs) oldCount += 1;
  if (oldCount > 0) moments.splice(0, oldCount);
}

/** Drops keys whose last accepted request left the window, oldest first, and what is too many. */
function evictIdle(given: {
  accepted: Map<string, number[]>;
  now: number;
  windowMs: number;
  keysMax: number;
}): void {
  const { accepted, now, windowMs, keysMax } = given;
  for (const [key, moments] of accepted) {
    const last = moments.at(-1) ?? 0;
    if (accepted.size <= keysMax && now - last < windowMs) return;
    accepted.delete(key);
  }
}
