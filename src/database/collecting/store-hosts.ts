// The pace of requests to each host of a store and its circuit breakers, shared by all processes and kept
// across restarts. Times are those of the caller's clock, handed in.
import sql, { type Sql } from "sql-template-tag";
import { type Db, queryCount, queryFirstRow, queryRows, queryValue } from "../query.ts";
import { parameter } from "../sql.ts";

/**
 * Reserves the next request to a host and returns when it may be sent. A reservation further ahead than
 * `aheadMsMax` is from a clock that was wrong, and counts for nothing.
 */
export async function reserveRequest(
  db: Db,
  reserved: { host: string; now: Date; gapMs: number; aheadMsMax: number },
): Promise<Date> {
  return (
    (await queryValue(db, "reserveRequest")<Date>`insert into store_hosts as h (host, free_at)
    values (${reserved.host}, ${reserved.now}::timestamptz + ${reserved.gapMs} * interval '1 ms')
    on conflict (host) do update set free_at = ${reserved.gapMs} * interval '1 ms' + case
      when h.free_at > ${reserved.now}
        and h.free_at <= ${reserved.now}::timestamptz + ${reserved.aheadMsMax} * interval '1 ms' then h.free_at
      else ${reserved.now} end
    returning h.free_at - ${reserved.gapMs} * interval '1 ms' as at`) ?? reserved.now
  );
}

/** When a breaker's time counts as a mistake of a clock. */
const openMsMax = 25 * 60 * 60 * 1_000;

/** The breaker of these that is open longest, with its last failure in words; null: none is, the next request decides. */
export function findOpenBreaker(
  db: Db,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<{ name: string; openUntil: Date; cause: string } | null> {
  return queryFirstRow(db, "findOpenBreaker")`select name, open_until as "openUntil", cause
    from circuit_breakers where name = any(${names}) and open_until > ${now}
      and open_until <= ${new Date(now.getTime() + openMsMax)}
    order by open_until desc limit 1`;
}

/**
 * Counts a failure. The last of `failureCountMax` in a row opens the breaker for `openMs`, and twice as long each further
 * time, up to `openMsMax`; of failures of known apps, it takes those of `appCountMin` different ones.
 */
export async function recordStoreFailure(
  db: Db,
  failure: {
    name: string;
    now: Date;
    failureCountMax: number;
    openMs: number;
    openMsMax: number;
    /** null: not known, or no matter. */
    app: string | null;
    appCountMin: number;
    cause: string;
  },
): Promise<void> {
  const { cause } = failure;
  const app = sql`${parameter(failure.app)}::text`;
  const failureCountMax = parameter(failure.failureCountMax);
  const appCountMin = parameter(failure.appCountMin);
  const opens = (count: Sql, apps: Sql): Sql =>
    sql`(${count} >= ${failureCountMax} and (${app} is null or cardinality(${apps}) >= ${appCountMin}))`;
  const apps = sql`(case when ${app} = any(b.apps) then b.apps else b.apps || ${app} end)`;
  const first = opens(sql`1`, sql`array[${app}]`);
  const next = opens(sql`b.failure_count + 1`, apps);
  const until = (openCount: Sql): Sql => sql`${failure.now}::timestamptz
    + least(${failure.openMs} * power(2, least(${openCount}, 20)), ${failure.openMsMax}) * interval '1 ms'`;
  await queryRows(db, "recordStoreFailure")`insert into circuit_breakers as b
      (name, failure_count, open_count, open_until, apps, cause)
    values (${failure.name}, case when ${first} then 0 else 1 end, case when ${first} then 1 else 0 end,
      case when ${first} then ${until(sql`0`)} end,
      case when ${app} is null or ${first} then '{}' else array[${app}] end, ${cause})
    on conflict (name) do update set
      failure_count = case when ${next} then 0 else b.failure_count + 1 end,
      open_count = b.open_count + case when ${next} then 1 else 0 end,
      open_until = case when ${next} then ${until(sql`b.open_count`)} else b.open_until end,
      apps = case when ${app} is null then b.apps when ${next} then '{}' else ${apps} end,
      cause = excluded.cause`;
}

export async function countOpenBreakers(db: Db, now: Date): Promise<number> {
  return queryCount(db, "countOpenBreakers")`select count(*)::integer as count
    from circuit_breakers where open_until > ${now}`;
}

/** A good response closes the breakers and forgets what was before. */
export async function resetBreakers(db: Db, names: readonly string[]): Promise<void> {
  await queryRows(db, "resetBreakers")`delete from circuit_breakers where name = any(${names})`;
}

/**
 * The database's own clock, which all processes share.
 *
 * @throws Error when the row is missing, which would be a bug
 */
export async function readTime(db: Db): Promise<Date> {
  const found = await queryFirstRow(db, "readTime")<{ at: Date }>`select clock_timestamp() as at`;
  if (!found) throw new Error("the database told no time");
  return found.at;
}
