// The same exact limit for all processes on one database: permits are rows there, by the database's clock.
// At most one round trip: requests that arrive together share it, and a key that was refused is refused here
// until its next permit is free. Without the database nobody gets a permit.

import type { PermitGrant } from "../database/accounts/rate-windows.ts";
import type { Database } from "../database/database.ts";
import type { RateLimit, RateLimitBounds, RateLimitResult } from "../http/rate-limit.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";

type Waiter = { resolve: (result: RateLimitResult) => void; reject: (error: unknown) => void };

/** How often each process deletes the rows of keys that were not used for a while. */
const pruneIntervalMs = 10 * minuteMs;

export function createDatabaseRateLimit(options: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "pruneRateWindows" | "takeRatePermits">;
  bounds: RateLimitBounds;
  /** Keeps the keys of one limit apart from another's. */
  name: string;
  /** Moves the database's time in tests. */
  databaseNow?: () => Date;
}): RateLimit {
  const { clock, log, database, bounds, databaseNow = () => null } = options;
  const refusals = createRefusalCache(options);
  let waiting = new Map<string, Waiter[]>();
  let nextPruneMs = clock.now().getTime() + pruneIntervalMs;

  async function takeBatch(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    const requests = [...batch].map(([key, waiters]) => ({ key, count: waiters.length }));
    try {
      const now = databaseNow();
      for (const grant of await database.takeRatePermits({ requests, rateLimit: bounds, now })) {
        resolveWaiters(batch.get(grant.key) ?? [], { grant, limit: bounds.limit });
        if (grant.freeCount === 0) refusals.add(grant);
      }
    } catch (error) {
      for (const waiters of batch.values()) for (const { reject } of waiters) reject(error);
    }
  }

  function pruneIdle(): void {
    const nowMs = clock.now().getTime();
    if (nowMs < nextPruneMs) return;
    nextPruneMs = nowMs + pruneIntervalMs;
    const { windowMs } = bounds;
    database.pruneRateWindows({ windowMs, now: databaseNow() }).catch((error: unknown) => {
      log.warn({ reason: String(error) }, "could not delete the rate limits of idle keys");
    });
  }

  return {
    async take(keyName) {
      const key = `${options.name} ${keyName}`;
      const refusal = refusals.find(key);
      if (refusal) return refusal;
      pruneIdle();
      // Runs once all requests that arrived together have been read.
      if (waiting.size === 0) setImmediate(() => void takeBatch());
      return new Promise((resolve, reject) => {
        const waiters = waiting.get(key) ?? [];
        waiting.set(key, waiters);
        waiters.push({ resolve, reject });
      });
    },
  };
}

function resolveWaiters(
  waiters: readonly Waiter[],
  { grant, limit }: { grant: PermitGrant; limit: number },
): void {
  const { grantedCount, freeCount, resetMs } = grant;
  for (const [index, { resolve }] of waiters.entries()) {
    const accepted = index < grantedCount;
    resolve({
      accepted,
      limit,
      remaining: accepted ? freeCount + grantedCount - 1 - index : freeCount,
      resetSeconds: toSeconds(resetMs),
    });
  }
}

type RefusalCache = { add(grant: PermitGrant): void; find(key: string): RateLimitResult | null };

/** Keys without a free permit. Nothing frees one before its time, so the database need not be asked. */
function createRefusalCache(options: { clock: Clock; bounds: RateLimitBounds }): RefusalCache {
  const { clock, bounds } = options;
  const exhausted = new Map<string, { fromMs: number; untilMs: number }>();
  return {
    add({ key, resetMs }) {
      const fromMs = clock.now().getTime();
      exhausted.delete(key);
      exhausted.set(key, { fromMs, untilMs: fromMs + resetMs });
      const [oldest] = exhausted.keys();
      if (exhausted.size > bounds.keysMax && oldest !== undefined) exhausted.delete(oldest);
    },
    find(key) {
      const entry = exhausted.get(key);
      const nowMs = clock.now().getTime();
      // A clock that was set back must not refuse for longer.
      if (entry && nowMs >= entry.fromMs && nowMs < entry.untilMs) {
        const resetSeconds = toSeconds(entry.untilMs - nowMs);
        return { accepted: false, limit: bounds.limit, remaining: 0, resetSeconds };
      }
      exhausted.delete(key);
      return null;
    },
  };
}

function toSeconds(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / secondMs));
}
