// The health of each provider and its use today, shared by all processes: a cooldown holds for all of them,
// and so does the limit of a day.
import type { ProviderKind, ProviderState } from "../../domain/provider.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

const columns = `kind, provider, failure_count as "failureCount", cooldown_until as "cooldownUntil",
  good_at as "goodAt", failed_at as "failedAt", last_error as "lastError"`;

export function findProviderState(db: Db, kind: ProviderKind): Promise<ProviderState | null> {
  return queryFirstRow(
    db,
    "findProviderState",
    `select ${columns} from provider_states where kind = $1`,
    [kind],
  );
}

/** Ends the cooldown and clears the error. */
export async function recordProviderSuccess(
  db: Db,
  success: { kind: ProviderKind; provider: string; now: Date },
): Promise<void> {
  await queryRows(
    db,
    "recordProviderSuccess",
    `insert into provider_states as s (kind, provider, good_at) values ($1, $2, $3)
     on conflict (kind) do update set provider = excluded.provider, good_at = excluded.good_at,
       failure_count = 0, cooldown_until = null, last_error = null`,
    [success.kind, success.provider, success.now],
  );
}

/** Counts a failure and begins a cooldown. */
export async function recordProviderFailure(
  db: Db,
  failure: { kind: ProviderKind; provider: string; reason: string; now: Date; cooldownUntil: Date },
): Promise<void> {
  await queryRows(
    db,
    "recordProviderFailure",
    `insert into provider_states as s
       (kind, provider, failure_count, cooldown_until, failed_at, last_error)
     values ($1, $2, 1, $5, $4, $3)
     on conflict (kind) do update set provider = excluded.provider,
       failure_count = case when s.provider = excluded.provider then s.failure_count + 1 else 1 end,
       cooldown_until = excluded.cooldown_until, failed_at = excluded.failed_at,
       last_error = excluded.last_error`,
    [failure.kind, failure.provider, failure.reason, failure.now, failure.cooldownUntil],
  );
}

/** Counts a request and its cost before it goes out; false when that would exceed the day's limit. */
export async function reserveProviderCost(
  db: Db,
  reserve: { kind: ProviderKind; day: Day; cost: number; costMax: number },
): Promise<boolean> {
  if (reserve.cost > reserve.costMax) return false;
  const count = await execute(
    db,
    "reserveProviderCost",
    `insert into provider_days as d (kind, day, request_count, cost) values ($1, $2, 1, $3)
     on conflict (kind, day) do update set request_count = d.request_count + 1,
       cost = d.cost + excluded.cost
     where d.cost + excluded.cost <= $4`,
    [reserve.kind, reserve.day, reserve.cost, reserve.costMax],
  );
  return count === 1;
}

export async function findProviderDay(
  db: Db,
  query: { kind: ProviderKind; day: Day },
): Promise<{ requestCount: number; cost: number }> {
  const found = await queryFirstRow<{ requestCount: number; cost: number }>(
    db,
    "findProviderDay",
    `select request_count as "requestCount", cost from provider_days where kind = $1 and day = $2`,
    [query.kind, query.day],
  );
  return found ?? { requestCount: 0, cost: 0 };
}
