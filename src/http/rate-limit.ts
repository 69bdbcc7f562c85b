// An exact rate limit for all processes on one database: in any stretch of a minute at most `perMinute` requests of one
// key are accepted, wherever the stretch starts, by the database's clock. Refused requests don't count. Without the
// database no request is accepted.

import { keepRecent } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";

type RateLimitResult = {
  accepted: boolean;
  limit: number;
  /** How many more would be accepted right now. */
  remaining: number;
  /** Whole seconds, at least 1, until the oldest counted request leaves the window. */
  resetSeconds: number;
};

export type RateLimit = { take(key: string): Promise<RateLimitResult> };

/** Limits of different names don't share keys. */
export type RateLimitBounds = { name: string; perMinute: number };

export type OpenRateLimit = (bounds: RateLimitBounds) => RateLimit;

export const keyLimit: RateLimitBounds = { name: "key", perMinute: 60 };
/** Requests and e-mails to others that a workspace's users start by hand, of all channels together. */
export const sendingLimit: RateLimitBounds = { name: "sending", perMinute: 30 };
export const failedKeyLimit: RateLimitBounds = { name: "address", perMinute: 30 };

type RateLimitDeps = {
  clock: Clock;
  log: Log;
  database: {
    takeRatePermit(take: {
      key: string;
      limit: number;
      windowMs: number;
      now: Date | null;
    }): Promise<{ isGranted: boolean; freeCount: number; resetMs: number }>;
    pruneRateWindows(idle: { windowMs: number; now: Date | null }): Promise<number>;
  };
  /** Moves the database's time in tests; null is its own. */
  databaseNow: () => Date | null;
};

const windowMs = minuteMs;
/** How often each process deletes the rows of keys that were not used for a while. */
const pruneIntervalMs = 10 * minuteMs;

export function createRateLimits(deps: RateLimitDeps): OpenRateLimit {
  const { clock, log, database, databaseNow } = deps;
  let nextPruneMs = clock.now().getTime() + pruneIntervalMs;

  function pruneIdle(): void {
    const nowMs = clock.now().getTime();
    if (nowMs < nextPruneMs) return;
    nextPruneMs = nowMs + pruneIntervalMs;
    database.pruneRateWindows({ windowMs, now: databaseNow() }).catch((error: unknown) => {
      log.warn({ reason: String(error) }, "could not delete the rate limits of idle keys");
    });
  }

  return ({ name, perMinute }) => {
    const refusals = createRefusalCache(clock);
    return {
      async take(keyName) {
        const key = `${name} ${keyName}`;
        const refusedMs = refusals.find(key);
        const refused = { accepted: false, limit: perMinute, remaining: 0 };
        if (refusedMs !== null) return { ...refused, resetSeconds: toSeconds(refusedMs) };
        pruneIdle();
        const take = { key, limit: perMinute, windowMs, now: databaseNow() };
        const { isGranted, freeCount, resetMs } = await database.takeRatePermit(take);
        if (freeCount === 0) refusals.add(key, resetMs);
        return {
          accepted: isGranted,
          limit: perMinute,
          remaining: freeCount,
          resetSeconds: toSeconds(resetMs),
        };
      },
    };
  };
}

const refusalsMax = 10_000;

/** Keys without a free permit. Nothing frees one before its time, so the database need not be asked. */
function createRefusalCache(clock: Clock) {
  const refused = new Map<string, { fromMs: number; untilMs: number }>();
  return {
    add(key: string, resetMs: number): void {
      const fromMs = clock.now().getTime();
      const value = { fromMs, untilMs: fromMs + resetMs };
      keepRecent(refused, { key, value, countMax: refusalsMax });
    },
    /** Milliseconds until the next permit; null when one may be free. */
    find(key: string): number | null {
      const found = refused.get(key);
      const nowMs = clock.now().getTime();
      // A clock that was set back must not refuse for longer.
      if (found && nowMs >= found.fromMs && nowMs < found.untilMs) return found.untilMs - nowMs;
      refused.delete(key);
      return null;
    },
  };
}

function toSeconds(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / secondMs));
}
