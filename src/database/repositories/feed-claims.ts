// The lease of a feed, from the claim to the end of the crawl; lease.ts describes the contract.
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd, FeedKey } from "../../domain/feed.ts";
import { type Lease, type LeaseClaim, leaseSql } from "../lease.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { type FeedRow, feedColumns, toClaimedFeed } from "./feed-row.ts";

type LeasedFeed = FeedKey & Lease;

const isHeld = "listing_id = $1 and kind = $2 and region = $3 and lease_token = $4";

function leaseValues(feed: LeasedFeed): unknown[] {
  return [feed.listingId, feed.kind, feed.region, feed.leaseToken];
}

/**
 * What a claim says of a feed whose last lease was never given back: its crawl ended with its process.
 * Parts of a statement on `feeds f`.
 */
const endedWithProcess = "process ended";
const noteLostLease = `stop_reason = case when f.lease_token is null then f.stop_reason else '${endedWithProcess}' end`;

/**
 * Feeds whose crawl ended with its process twice, without a page in between: one of them may be what ends
 * it. They rest for an hour, doubled with every further time up to a day.
 */
export async function restLostFeeds(db: Db, now: Date): Promise<FeedKey[]> {
  return queryRows<FeedKey>(
    db,
    "restLostFeeds",
    `update feeds f set ${leaseSql.release}, outcome = 'unknown', checked_at = $1,
       last_error = 'the process ended during the crawl, twice in a row; the feed rests',
       next_due_at = $1::timestamptz + least(interval '1 hour' * 2 ^ least(failure_count, 10), interval '1 day'),
       failure_count = failure_count + 1
     where lease_token is not null and leased_until <= $1 and stop_reason = '${endedWithProcess}'
     returning listing_id as "listingId", kind, region`,
    [now],
  );
}

/** Feeds that are due and free, the longest due first. */
export async function claimDueFeeds(
  db: Db,
  claim: LeaseClaim & { limit: number },
): Promise<ClaimedFeed[]> {
  const claimed = await queryRows<FeedRow>(
    db,
    "claimDueFeeds",
    `update feeds f set ${leaseSql.claim("$1", "$4")}, ${noteLostLease}
     from (
       select listing_id, kind, region from feeds
       where next_due_at <= $3 and ${leaseSql.isFree("$3")}
       order by next_due_at limit $2 for update skip locked
     ) due
     where (f.listing_id, f.kind, f.region) = (due.listing_id, due.kind, due.region)
     returning ${feedColumns}`,
    [claim.token, claim.limit, claim.now, claim.leasedUntil],
  );
  return claimed.map(toClaimedFeed);
}

/** All free feeds of one listing, due or not: for a crawl that a user started. */
export async function claimFeedsOfListing(
  db: Db,
  claim: LeaseClaim & { listingId: string },
): Promise<ClaimedFeed[]> {
  const claimed = await queryRows<FeedRow>(
    db,
    "claimFeedsOfListing",
    `update feeds f set ${leaseSql.claim("$2", "$4")}, ${noteLostLease}
     where f.listing_id = $1 and ${leaseSql.isFree("$3")}
     returning ${feedColumns}`,
    [claim.listingId, claim.token, claim.now, claim.leasedUntil],
  );
  return claimed.map(toClaimedFeed);
}

export async function renewFeedLease(
  db: Db,
  feed: LeasedFeed & { leasedUntil: Date },
): Promise<void> {
  await queryRows(db, "renewFeedLease", `update feeds set leased_until = $5 where ${isHeld}`, [
    ...leaseValues(feed),
    feed.leasedUntil,
  ]);
}

/**
 * Saves how far a crawl has come and renews its lease. False when somebody else holds the feed by now:
 * the crawl was too slow, and goes on elsewhere.
 */
export async function saveCheckpoint(
  db: Db,
  feed: LeasedFeed & { leasedUntil: Date; checkpoint: CrawlCheckpoint },
): Promise<boolean> {
  const count = await execute(
    db,
    "saveCheckpoint",
    `update feeds set leased_until = greatest(leased_until, $5), checkpoint = $6, stop_reason = null
     where ${isHeld}`,
    [...leaseValues(feed), feed.leasedUntil, JSON.stringify(feed.checkpoint)],
  );
  return count === 1;
}

/** Gives back a feed in the middle of a crawl: whoever claims it next goes on from its checkpoint. */
export async function releaseFeed(db: Db, feed: LeasedFeed & { now: Date }): Promise<void> {
  await queryRows(
    db,
    "releaseFeed",
    `update feeds set ${leaseSql.release}, next_due_at = least(next_due_at, $5), stop_reason = null
     where ${isHeld}`,
    [...leaseValues(feed), feed.now],
  );
}

/** After a crawl that failed for a reason of our own: what it saved stays, and it is tried again later. */
export async function rescheduleFeed(
  db: Db,
  feed: LeasedFeed & { lastError: string; nextDueAt: Date; now: Date },
): Promise<void> {
  await queryRows(
    db,
    "rescheduleFeed",
    `update feeds set ${leaseSql.release}, outcome = 'unknown', last_error = $5,
       stop_reason = 'broken off', next_due_at = $6, checked_at = $7,
       failure_count = failure_count + 1
     where ${isHeld}`,
    [...leaseValues(feed), feed.lastError, feed.nextDueAt, feed.now],
  );
}

/** Saves how a crawl ended and releases the feed. False when somebody else holds it by now. */
export async function finishFeed(db: Db, end: LeasedFeed & CrawlEnd): Promise<boolean> {
  const count = await execute(
    db,
    "finishFeed",
    `update feeds set ${leaseSql.release}, outcome = $5, watermark = $6,
       baseline_at = $7, next_due_at = $8, last_error = $9, page_count = $10, review_count = $11,
       truncated = $12, stop_reason = $13, checked_at = $14, quarantined_reading = $15,
       rejected_count = $16, full_crawl_at = $17, full_crawl_due_at = $18, checkpoint = $19,
       good_at = case when $5 = 'unknown' then good_at else $14 end,
       failure_count = case when $5 = 'unknown' then failure_count + 1 else 0 end
     where ${isHeld}`,
    [
      ...leaseValues(end),
      end.outcome,
      end.watermark,
      end.baselineAt,
      end.nextDueAt,
      end.lastError,
      end.pageCount,
      end.reviewCount,
      end.truncated,
      end.stopReason,
      end.checkedAt,
      end.quarantinedReading && JSON.stringify(end.quarantinedReading),
      end.rejectedCount,
      end.fullCrawlAt,
      end.fullCrawlDueAt,
      end.checkpoint && JSON.stringify(end.checkpoint),
    ],
  );
  return count === 1;
}
