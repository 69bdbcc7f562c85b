// The same exact limit for all processes on one database: they take places in common rows, by the
// database's clock. One round trip at most: requests that come together share it, and a key that was
// refused is refused here until its next place is free. Without the database nobody gets a place.
import type { Database } from "../database/database.ts";
import type { PermitGrant } from "../database/repositories/rate-windows.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import type { RateLimit, RateLimitBounds, RateLimitResult } from "./memory-rate-limit.ts";

type RateLimitDatabase = Pick<Database, "pruneRateWindows" | "takeRatePermits">;

type Waiting = { resolve: (verdict: RateLimitResult) => void; reject: (error: unknown) => void };

/** How often each process looks for keys that were not used for a while. */
const pruneIntervalMs = 10 * minuteMs;

export function createDatabaseRateLimit(open: {
  clock: Clock;
  log: Log;
  database: RateLimitDatabase;
  bounds: RateLimitBounds;
  /** What is limited: keeps one limit's keys apart from another's. */
  what: string;
  /** Moves the database's time in tests. */
  databaseNow?: () => Date;
}): RateLimit {
  const { clock, log, database, bounds, databaseNow = () => null } = open;
  const refusals = createRefusalCache(open);
  let waiting = new Map<string, Waiting[]>();
  let nextPruneMs = clock.now().getTime() + pruneIntervalMs;

  async function takeBatch(): Promise<void> {
    const taking = waiting;
    waiting = new Map();
    const requests = [...taking].map(([key, list]) => ({ key, count: list.length }));
    try {
      const grants = await database.takeRatePermits({ requests, rateLimit: bounds, now: databaseNow() });
      for (const grant of grants) {
        settle(taking.get(grant.key) ?? [], { grant, bounds });
        if (grant.freeCount === 0) refusals.note(grant);
      }
    } catch (error) {
      for (const list of taking.values()) for (const { reject } of list) reject(error);
    }
  }

  function pruneIdle(): void {
    const nowMs = clock.now().getTime();
    if (nowMs < nextPruneMs) return;
    nextPruneMs = nowMs + pruneIntervalMs;
    const { windowMs } = bounds;
    database.pruneRateWindows({ windowMs, now: databaseNow() }).catch((error: unknown) => {
      log.warn({ reason: String(error) }, "idle rate limits were not cleared");
    });
  }

  return {
    async take(name) {
      const key = `${open.what} ${name}`;
      const refusal = refusals.find(key);
      if (refusal) return refusal;
      pruneIdle();
      // Once the requests that arrived together were all looked at.
      if (waiting.size === 0) setImmediate(() => void takeBatch());
      return new Promise((resolve, reject) => {
        const list = waiting.get(key) ?? [];
        waiting.set(key, list);
        list.push({ resolve, reject });
      });
    },
  };
}

function settle(
  list: readonly Waiting[],
  found: { grant: PermitGrant; bounds: RateLimitBounds },
): void {
  const { grantedCount, freeCount, resetMs } = found.grant;
  for (const [index, { resolve }] of list.entries()) {
    const accepted = index < grantedCount;
    resolve({
      accepted,
      limit: found.bounds.limit,
      remaining: accepted ? freeCount + grantedCount - 1 - index : freeCount,
      resetSeconds: toSeconds(resetMs),
    });
  }
}

type Refusals = { note(grant: PermitGrant): void; find(key: string): RateLimitResult | null };

/** Keys without a free place. Nothing frees one before its time, so asking again is of no use. */
function createRefusalCache(open: { clock: Clock; bounds: RateLimitBounds }): Refusals {
  const { limit, keysMax } = open.bounds;
  const full = new Map<string, { fromMs: number; untilMs: number }>();
  return {
    note({ key, resetMs }) {
      const fromMs = open.clock.now().getTime();
      full.delete(key);
      full.set(key, { fromMs, untilMs: fromMs + resetMs });
      const [oldest] = full.keys();
      if (full.size > keysMax && oldest !== undefined) full.delete(oldest);
    },
    find(key) {
      const entry = full.get(key);
      const nowMs = open.clock.now().getTime();
      // A clock that was set back must not refuse for longer.
      if (entry && nowMs >= entry.fromMs && nowMs < entry.untilMs) {
        const resetSeconds = toSeconds(entry.untilMs - nowMs);
        return { accepted: false, limit, remaining: 0, resetSeconds };
      }
      full.delete(key);
      return null;
    },
  };
}

function toSeconds(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / secondMs));
}
