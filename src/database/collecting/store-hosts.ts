// The pace of requests to each host of a store and its circuit breakers, shared by all processes and kept
// across restarts. Times are those of the caller's clock, handed in.
import { type Db, queryFirstRow, queryRows } from "../query.ts";

/**
 * Reserves the next request to a host and returns when it may be sent. A reservation further ahead than
 * `aheadMsMax` is from a clock that was wrong, and counts for nothing.
 */
export async function reserveRequest(
  db: Db,
  reserved: { host: string; now: Date; gapMs: number; aheadMsMax: number },
): Promise<Date> {
  const found = await queryFirstRow<{ at: Date }>(
    db,
    "reserveRequest",
    `insert into store_hosts as h (host, free_at) values ($1, $2::timestamptz + $3 * interval '1 ms')
     on conflict (host) do update set free_at = $3 * interval '1 ms' + case
       when h.free_at > $2 and h.free_at <= $2::timestamptz + $4 * interval '1 ms' then h.free_at
       else $2 end
     returning h.free_at - $3 * interval '1 ms' as at`,
    [reserved.host, reserved.now, reserved.gapMs, reserved.aheadMsMax],
  );
  return found?.at ?? reserved.now;
}

/** When a breaker's time counts as a mistake of a clock. */
const openMsMax = 25 * 60 * 60 * 1_000;

/** The breaker of these that is open longest, with its last failure in words; null: none is, the next request decides. */
export function findOpenBreaker(
  db: Db,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<{ name: string; openUntil: Date; cause: string } | null> {
  return queryFirstRow(
    db,
    "findOpenBreaker",
    `select name, open_until as "openUntil", cause from circuit_breakers
     where name = any($1) and open_until > $2 and open_until <= $3
     order by open_until desc limit 1`,
    [names, now, new Date(now.getTime() + openMsMax)],
  );
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
  const { app, cause } = failure;
  const opens = (count: string, apps: string): string =>
    `(${count} >= $3 and ($6::text is null or cardinality(${apps}) >= $7))`;
  const apps = "(case when $6 = any(b.apps) then b.apps else b.apps || $6::text end)";
  const first = opens("1", "array[$6::text]");
  const next = opens("b.failure_count + 1", apps);
  const until = (openCount: string): string =>
    `$2::timestamptz + least($4 * power(2, least(${openCount}, 20)), $5) * interval '1 ms'`;
  await queryRows(
    db,
    "recordStoreFailure",
    `insert into circuit_breakers as b (name, failure_count, open_count, open_until, apps, cause)
     values ($1, case when ${first} then 0 else 1 end, case when ${first} then 1 else 0 end,
       case when ${first} then ${until("0")} end,
       case when $6 is null or ${first} then '{}' else array[$6::text] end, $8)
     on conflict (name) do update set
       failure_count = case when ${next} then 0 else b.failure_count + 1 end,
       open_count = b.open_count + case when ${next} then 1 else 0 end,
       open_until = case when ${next} then ${until("b.open_count")} else b.open_until end,
       apps = case when $6 is null then b.apps when ${next} then '{}' else ${apps} end,
       cause = $8`,
    [
      failure.name,
      failure.now,
      failure.failureCountMax,
      failure.openMs,
      failure.openMsMax,
      app,
      failure.appCountMin,
      cause,
    ],
  );
}

export async function countOpenBreakers(db: Db, now: Date): Promise<number> {
  const found = await queryFirstRow<{ count: number }>(
    db,
    "countOpenBreakers",
    "select count(*)::integer as count from circuit_breakers where open_until > $1",
    [now],
  );
  return found?.count ?? 0;
}

/** A good response closes the breakers and forgets what was before. */
export async function resetBreakers(db: Db, names: readonly string[]): Promise<void> {
  await queryRows(db, "resetBreakers", "delete from circuit_breakers where name = any($1)", [
    names,
  ]);
}

/**
 * The database's own clock, which all processes share.
 *
 * @throws Error when the row is missing, which would be a bug
 */
export async function readTime(db: Db): Promise<Date> {
  const found = await queryFirstRow<{ at: Date }>(db, "readTime", "select clock_timestamp() as at");
  if (!found) throw new Error("the database told no time");
  return found.at;
}
