// One exact rate limit for many processes: each key is a row, decided under its lock by PostgreSQL's clock.
import sql from "sql-template-tag";
import { type Db, execute, queryFirstRow } from "../query.ts";
import { parameter } from "../sql.ts";

type Permit = {
  isGranted: boolean;
  /** How many more would be granted now. */
  freeCount: number;
  /** Until the oldest granted request leaves the window. */
  resetMs: number;
};

/**
 * A key gets at most `limit` permits in any stretch of `windowMs`. `now` moves the time in tests; null is the server's
 * clock, so that the machines of the processes need not agree on the time.
 *
 * @throws AppError `unavailable` while the database can't be used
 */
export async function takeRatePermit(
  db: Db,
  take: { key: string; limit: number; windowMs: number; now: Date | null },
): Promise<Permit> {
  const limit = sql`${parameter(take.limit)}::integer`;
  const window = sql`${parameter(take.windowMs)}::integer * interval '1 millisecond'`;
  const at = sql`(select coalesce(${parameter(take.now)}::timestamptz, clock_timestamp()) as at) n`;
  // The clock is read under the row's lock, so moments only grow. After a clock was set back, later moments are moved
  // back too, so that no key is refused for longer than the window. A commit does not wait for the disk: a crash of
  // PostgreSQL may lose the last half second of counts.
  const permit = await queryFirstRow(db, "takeRatePermit")<Permit>`
  with fast_commit as materialized (select set_config('synchronous_commit', 'off', true))
  insert into rate_windows as w (key, accepted_at, granted_count, taken_at)
  select ${take.key}, array[n.at], 1, n.at from fast_commit cross join ${at}
  on conflict (key) do update set (accepted_at, granted_count, taken_at) = (
    select k.moments || array_fill(n.at, array[f.count]), f.count, n.at
    from ${at}
    cross join lateral (
      select coalesce(array_agg(least(m, n.at) order by m), '{}') as moments
      from unnest(w.accepted_at) m
      where least(m, n.at) > n.at - ${window}
    ) k
    cross join lateral (select (cardinality(k.moments) < ${limit})::integer as count) f
  )
  returning w.granted_count = 1 as "isGranted", ${limit} - cardinality(w.accepted_at) as "freeCount",
    ceil(extract(epoch from w.accepted_at[1] + ${window} - w.taken_at) * 1000)::integer as "resetMs"`;
  if (!permit) throw new Error("an upsert returned no row");
  return permit;
}

/** Deletes keys whose last request is older than the window. */
export function pruneRateWindows(
  db: Db,
  idle: { windowMs: number; now: Date | null },
): Promise<number> {
  // Its rows are locked until the commit, which would wait for the disk.
  return execute(db, "pruneRateWindows")`
    with fast_commit as materialized (select set_config('synchronous_commit', 'off', true))
    delete from rate_windows using fast_commit
    where taken_at < coalesce(${idle.now}::timestamptz, now())
      - ${idle.windowMs}::integer * interval '1 millisecond'`;
}
