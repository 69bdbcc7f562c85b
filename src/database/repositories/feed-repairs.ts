// What processes that were killed, and clocks that were wrong, left behind in feeds.
import type { FeedKey } from "../../domain/feed.ts";
import { leaseSql } from "../lease.ts";
import { type Db, queryRows } from "../query.ts";
import { endedWithProcess, isInLane, lanesSql } from "./feed-lane-sql.ts";

/**
 * Postpones feeds whose crawl ended with its process twice, without a page in between: one of them may be what
 * ends it. By an hour, doubled with every further time up to a day.
 */
export async function postponeLostFeeds(db: Db, now: Date): Promise<FeedKey[]> {
  return queryRows<FeedKey>(
    db,
    "postponeLostFeeds",
    `update feeds f set ${leaseSql.release}, outcome = 'unknown', checked_at = $1,
       last_error = 'the process ended during the crawl, twice in a row; the feed is read later',
       next_due_at = $1::timestamptz + least(interval '1 hour' * 2 ^ least(failure_count, 10), interval '1 day'),
       failure_count = failure_count + 1
     where lease_token is not null and leased_until <= $1 and stop_reason = '${endedWithProcess}'
     returning listing_id as "listingId", kind, region`,
    [now],
  );
}

/** Half an hour more than a day with its spread, in minutes: ratings, and what failed, wait no longer. */
const waitMinutesMax = 28 * 60;

/**
 * Makes feeds due that are due later than a crawl of now could have scheduled them: a clock was wrong. Those that are
 * due within the interval are none of them, so they are not looked at.
 */
export async function pullFeedsForward(
  db: Db,
  { now, intervalMinutes }: { now: Date; intervalMinutes: number },
): Promise<void> {
  await queryRows(
    db,
    "pullFeedsForward",
    `update feeds f set next_due_at = $1 where f.ctid = any(array(
       select w.ctid from (${lanesSql}) lanes join feeds w on ${isInLane} and w.next_due_at > $1::timestamptz + interval '1 minute' * (1.1 * $2::integer + 1)
         and w.next_due_at > $1::timestamptz + interval '1 minute' * (1 + greatest(
           1.1 * coalesce(w.interval_minutes, $2::integer),
           case when w.kind = 'reviews' and w.outcome = 'ok' then 0 else ${waitMinutesMax} end))
       for update of w
     ))`,
    [now, intervalMinutes],
  );
}
