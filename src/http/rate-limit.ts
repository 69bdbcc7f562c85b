// An exact rate limit for all processes on one database: in any stretch of a minute at most `perMinute` requests of one
// key are accepted, wherever the stretch starts, by the database's clock. Refused requests don't count. Without the
// database no request is accepted.

import { createBatch } from "../lib/batch.ts";
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

type Permits = { key: string; grantedCount: number; freeCount: number; resetMs: number };
type Window = { limit: number; windowMs: number };

type RateLimitDeps = {
  clock: Clock;
  log: Log;
  database: {
    takeRatePermits(take: {
      requests: readonly { key: string; count: number }[];
      rateLimit: Window;
      now: Date | null;
    }): Promise<readonly Permits[]>;
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
    const takeTogether = createBatch<string, RateLimitResult>(
      async (keys) => {
        const permits = await database.takeRatePermits({
          requests: countKeys(keys),
          rateLimit: { limit: perMinute, windowMs },
          now: databaseNow(),
        });
        for (const { key, freeCount, resetMs } of permits)
          if (freeCount === 0) refusals.add(key, resetMs);
        return grantInOrder(keys, { permits, limit: perMinute });
      },
      { countMax: 1_000, runningMax: 1 },
    );
    return {
      async take(keyName) {
        const key = `${name} ${keyName}`;
        const refusedMs = refusals.find(key);
        if (refusedMs !== null)
          return {
            accepted: false,
            limit: perMinute,
            remaining: 0,
            resetSeconds: toSeconds(refusedMs),
          };
        pruneIdle();
        return takeTogether(key);
      },
    };
  };
}

function countKeys(keys: readonly string[]): { key: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, count }));
}

/** The first requests of each key get its permits. */
function grantInOrder(
  keys: readonly string[],
  { permits, limit }: { permits: readonly Permits[]; limit: number },
): RateLimitResult[] {
  const byKey = new Map(permits.map((one) => [one.key, { ...one, leftCount: one.grantedCount }]));
  return keys.map((key) => {
    const granted = byKey.get(key);
    if (granted === undefined) throw new Error(`no answer for the rate limit of ${key}`);
    const accepted = granted.leftCount > 0;
    if (accepted) granted.leftCount -= 1;
    return {
      accepted,
      limit,
      remaining: granted.freeCount + granted.leftCount,
      resetSeconds: toSeconds(granted.resetMs),
    };
  });
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
