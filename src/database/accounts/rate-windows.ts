// One exact rate limit for many processes: each key is a row, decided under its lock by PostgreSQL's clock.
import sql, { type Sql } from "sql-template-tag";
import { type Db, execute, queryRows } from "../query.ts";
import { parameter, unnest } from "../sql.ts";

/** Requests of one key at the same moment. */
type PermitRequest = { key: string; count: number };

export type RateLimit = {
  /** At most this many are accepted in any stretch of `windowMs`. */
  limit: number;
  windowMs: number;
};

/** The first `grantedCount` of the requests are accepted. */
type PermitGrant = {
  key: string;
  grantedCount: number;
  /** How many more would be accepted now. */
  freeCount: number;
  /** Until the oldest accepted request leaves the window. */
  resetMs: number;
};

/**
 * Takes permits for several keys, each named once, in one statement. `now` moves the time in tests; null is
 * the server's clock, so that the machines of the processes need not agree on the time.
 */
export function takeRatePermits(
  db: Db,
  options: { requests: readonly PermitRequest[]; rateLimit: RateLimit; now: Date | null },
): Promise<PermitGrant[]> {
  const { rateLimit, now } = options;
  // In one order everywhere, so that two statements over the same keys never deadlock.
  const requests = [...options.requests].sort((one, other) => (one.key < other.key ? -1 : 1));
  const limit = sql`${parameter(rateLimit.limit)}::integer`;
  const window = sql`${parameter(rateLimit.windowMs)}::integer * interval '1 millisecond'`;
  const at = sql`(select coalesce(${parameter(now)}::timestamptz, clock_timestamp()) as at) n`;
  return queryRows<PermitGrant>(db, "takeRatePermits", writeTake({ requests, limit, window, at }));
}

// The clock is read once for each row and under its lock, so moments only grow. After a clock was set back,
// later moments are moved back too, so that no key is refused for longer than the window. A commit does not
// wait for the disk: a crash of PostgreSQL may lose the last half second of counts.
function writeTake(take: {
  requests: readonly PermitRequest[];
  limit: Sql;
  window: Sql;
  /** The moment, as `n (at)`. */
  at: Sql;
}): Sql {
  const { limit, window, at } = take;
  const requests = unnest("d", take.requests, {
    key: ["text", ({ key }) => key],
    count: ["integer", ({ count }) => count],
  });
  return sql`with fast_commit as materialized (
    select set_config('synchronous_commit', 'off', true)
  ), request as (
    select d.key, d.count from ${requests}, fast_commit
  )
  insert into rate_windows as w (key, accepted_at, granted_count, taken_at)
  select d.key, array_fill(n.at, array[least(d.count, ${limit})]), d.count, n.at
  from request d cross join ${at}
  on conflict (key) do update set (accepted_at, granted_count, taken_at) = (
    select k.moments || array_fill(n.at, array[g.count]), g.count, n.at
    from ${at}
    cross join lateral (
      select coalesce(array_agg(least(m, n.at) order by m), '{}') as moments
      from unnest(w.accepted_at) m
      where least(m, n.at) > n.at - ${window}
    ) k
    cross join lateral (
      select least(excluded.granted_count, ${limit} - cardinality(k.moments)) as count
    ) g
  )
  returning w.key, least(w.granted_count, ${limit}) as "grantedCount",
    ${limit} - cardinality(w.accepted_at) as "freeCount",
    ceil(extract(epoch from w.accepted_at[1] + ${window} - w.taken_at) * 1000)::integer as "resetMs"`;
}

/** Deletes keys whose last request is older than the window. */
export function pruneRateWindows(
  db: Db,
  idle: { windowMs: number; now: Date | null },
): Promise<number> {
  const statement = sql`delete from rate_windows
    where taken_at < coalesce(${idle.now}::timestamptz, now())
      - ${idle.windowMs}::integer * interval '1 millisecond'`;
  return execute(db, "pruneRateWindows", statement);
}
