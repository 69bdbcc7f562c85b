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

/** Until when a breaker is open; null: closed, or half-open: the next request decides. */
export async function findBreakerOpenUntil(
  db: Db,
  breaker: { name: string; now: Date },
): Promise<Date | null> {
  const found = await queryFirstRow<{ openUntil: Date }>(
    db,
    "findBreakerOpenUntil",
    `select open_until as "openUntil" from circuit_breakers
     where name = $1 and open_until > $2 and open_until <= $3`,
    [breaker.name, breaker.now, new Date(breaker.now.getTime() + openMsMax)],
  );
  return found?.openUntil ?? null;
}

/**
 * Counts a failure. The last of `failureCountMax` in a row opens the breaker for `openMs`, and twice as long
 * each further time, up to `openMsMax`.
 */
export async function recordStoreFailure(
  db: Db,
  failure: {
    name: string;
    now: Date;
    failureCountMax: number;
    openMs: number;
    openMsMax: number;
  },
): Promise<void> {
  await queryRows(
    db,
    "recordStoreFailure",
    `insert into circuit_breakers as b (name, failure_count, open_count) values ($1, 1, 0)
     on conflict (name) do update set
       failure_count = case when b.failure_count + 1 >= $3 then 0 else b.failure_count + 1 end,
       open_count = b.open_count + case when b.failure_count + 1 >= $3 then 1 else 0 end,
       open_until = case when b.failure_count + 1 >= $3
         then $2::timestamptz
           + least($4 * power(2, least(b.open_count, 20)), $5) * interval '1 ms'
         else b.open_until end`,
    [failure.name, failure.now, failure.failureCountMax, failure.openMs, failure.openMsMax],
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

/** A good response closes the breaker and forgets what was before. */
export async function resetBreaker(db: Db, name: string): Promise<void> {
  await queryRows(db, "resetBreaker", "delete from circuit_breakers where name = $1", [name]);
}

/**
 * The database's own clock, which all processes share.
 *
 * @throws Error when there is no row, which would be a bug
 */
export async function readTime(db: Db): Promise<Date> {
  const found = await queryFirstRow<{ at: Date }>(db, "readTime", "select clock_timestamp() as at");
  if (!found) throw new Error("the database told no time");
  return found.at;
}
