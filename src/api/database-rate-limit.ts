// The same exact limit for all processes on one database: they take places in common rows, by the
// database's clock. One round trip at most: requests that come together share it, and a key that was
// refused is refused here until its next place is free. Without the database nobody gets a place.
import type { Database } from "../database/database.ts";
import type { PermitGrant } from "../database/repositories/rate-windows.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import type { RateLimit, RateLimitBounds, RateVerdict } from "./memory-rate-limit.ts";

type LimitKeep = Pick<Database, "deleteIdleRateWindows" | "takeRatePlaces">;

type Waiting = { resolve: (verdict: RateVerdict) => void; reject: (error: unknown) => void };

/** How often each process looks for keys that were not used for a while. */
const upkeepMs = 10 * minuteMs;

export function openSharedRateLimit(open: {
  clock: Clock;
  log: Log;
  database: LimitKeep;
  bounds: RateLimitBounds;
  /** What is limited: keeps one limit's keys apart from another's. */
  what: string;
  /** Moves the database's time in tests. */
  databaseNow?: () => Date;
}): RateLimit {
  const { clock, log, database, bounds, databaseNow = () => null } = open;
  const refusals = openRefusals(open);
  let waiting = new Map<string, Waiting[]>();
  let nextUpkeepMs = clock.now().getTime() + upkeepMs;

  async function takeTogether(): Promise<void> {
    const taking = waiting;
    waiting = new Map();
    const demands = [...taking].map(([key, list]) => ({ key, count: list.length }));
    try {
      const grants = await database.takeRatePlaces({ demands, bounds, now: databaseNow() });
      for (const grant of grants) {
        settle(taking.get(grant.key) ?? [], { grant, bounds });
        if (grant.freeCount === 0) refusals.note(grant);
      }
    } catch (error) {
      for (const list of taking.values()) for (const { reject } of list) reject(error);
    }
  }

  function keepUp(): void {
    const nowMs = clock.now().getTime();
    if (nowMs < nextUpkeepMs) return;
    nextUpkeepMs = nowMs + upkeepMs;
    const { windowMs } = bounds;
    database.deleteIdleRateWindows({ windowMs, now: databaseNow() }).catch((error: unknown) => {
      log.warn({ reason: String(error) }, "idle rate limits were not cleared");
    });
  }

  return {
    async take(name) {
      const key = `${open.what} ${name}`;
      const refusal = refusals.find(key);
      if (refusal) return refusal;
      keepUp();
      // Once the requests that arrived together were all looked at.
      if (waiting.size === 0) setImmediate(() => void takeTogether());
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

type Refusals = { note(grant: PermitGrant): void; find(key: string): RateVerdict | null };

/** Keys without a free place. Nothing frees one before its time, so asking again is of no use. */
function openRefusals(open: { clock: Clock; bounds: RateLimitBounds }): Refusals {
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
