// The lease of a feed, from the claim to the end of the crawl; lease.ts describes the contract.
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd, FeedKey } from "../../domain/feed.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { type Lease, type LeaseClaim, leaseSql } from "../lease.ts";
import { type Db, execute, queryRows } from "../query.ts";
import {
  endedWithProcess,
  type FeedRow,
  feedColumns,
  isInLane,
  isPostponed,
  noteLostLease,
  toClaimedFeed,
} from "./feeds.ts";

type LeasedFeed = FeedKey & Lease;

const isHeld = "listing_id = $1 and kind = $2 and region = $3 and lease_token = $4";

function leaseValues(feed: LeasedFeed): unknown[] {
  return [feed.listingId, feed.kind, feed.region, feed.leaseToken];
}

/**
 * Feeds that are due and free, the longest due first, up to the limit of each lane. A lease that is longer
 * than leases are is from a clock that was wrong; what lost its process twice is for postponeLostFeeds.
 */
export async function claimDueFeeds(
  db: Db,
  claim: LeaseClaim & { lanes: readonly CrawlLane[] },
): Promise<(ClaimedFeed & { lane: string })[]> {
  const { lanes, now } = claim;
  const claimed = await queryRows<FeedRow & Pick<CrawlLane, "store" | "isOfficial" | "isLong">>(
    db,
    "claimDueFeeds",
    // By place: by key the server would read all feeds, because it can't know how few the limits leave. The rows
    // are locked, and stay where they are.
    `update feeds f set ${leaseSql.claim("$1", "$4")}, ${noteLostLease}
     where f.ctid = any(array(
       select found.ctid from jsonb_to_recordset($2)
         as lanes (store text, official boolean, long boolean, "limit" integer)
       cross join lateral (
         select w.ctid from feeds w
         where ${isInLane} and w.next_due_at <= $3
           and (${leaseSql.isFree("$3")} or w.leased_until > $4::timestamptz + interval '5 minutes')
           and not (w.lease_token is not null and w.stop_reason is not distinct from '${endedWithProcess}')
         order by w.next_due_at limit lanes."limit" for update skip locked
       ) found
     ))
     returning ${feedColumns}, f.store, f.is_official as "isOfficial", f.is_long as "isLong"`,
    [claim.token, JSON.stringify(lanes.map(toLaneKey)), now, claim.leasedUntil],
  );
  return claimed.map(({ store, isOfficial, isLong, ...row }) => ({
    ...toClaimedFeed(row),
    lane: nameLane(lanes, { store, isOfficial, isLong }),
  }));
}

function toLaneKey({ store, isOfficial, isLong, limit }: CrawlLane) {
  return { store, official: isOfficial, long: isLong, limit };
}

/** @throws Error for a feed of another lane, which is a bug */
function nameLane(
  lanes: readonly CrawlLane[],
  feed: Pick<CrawlLane, "store" | "isOfficial" | "isLong">,
): string {
  const lane = lanes.find(
    ({ store, isOfficial, isLong }) =>
      store === feed.store && isOfficial === feed.isOfficial && isLong === feed.isLong,
  );
  if (!lane) throw new Error("a feed was claimed that no lane asked for");
  return lane.name;
}

/** A share of the crawls at once: requests to one host wait for each other, those to others do not. */
export type CrawlLane = {
  name: string;
  store: StoreId;
  /** Through a workspace's own account. */
  isOfficial: boolean;
  /** Backfills and full crawls. */
  isLong: boolean;
  limit: number;
};

/** All free feeds of one listing, due or not, without postponed ones: for a crawl that a user started. */
export async function claimFeedsOfListing(
  db: Db,
  claim: LeaseClaim & { listingId: string },
): Promise<ClaimedFeed[]> {
  const claimed = await queryRows<FeedRow>(
    db,
    "claimFeedsOfListing",
    `update feeds f set ${leaseSql.claim("$2", "$4")}, ${noteLostLease}
     where f.listing_id = $1 and ${leaseSql.isFree("$3")} and not ${isPostponed("$3")}
     returning ${feedColumns}`,
    [claim.listingId, claim.token, claim.now, claim.leasedUntil],
  );
  return claimed.map(toClaimedFeed);
}

/** Whether the crawl still holds the feed; if so, no other worker can claim it before the transaction ends. */
export async function lockHeldFeed(db: Db, feed: LeasedFeed): Promise<boolean> {
  const held = await queryRows(
    db,
    "lockHeldFeed",
    `select from feeds where ${isHeld} for update`,
    leaseValues(feed),
  );
  return held.length === 1;
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
 * Saves how far a crawl has come and renews its lease. False when another worker holds the feed by now:
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

/** Gives back a feed in the middle of a crawl: the next worker that claims it continues from its checkpoint. */
export async function releaseFeed(db: Db, feed: LeasedFeed & { now: Date }): Promise<void> {
  await queryRows(
    db,
    "releaseFeed",
    `update feeds set ${leaseSql.release}, next_due_at = least(next_due_at, $5), stop_reason = null
     where ${isHeld}`,
    [...leaseValues(feed), feed.now],
  );
}

/**
 * Gives back a feed of which nothing is known that was not before: between two pages of a long crawl, which goes on after
 * those that are due by now, or because nothing may be requested until then.
 */
export async function yieldFeed(
  db: Db,
  feed: LeasedFeed & { nextDueAt: Date; reason: string | null },
): Promise<void> {
  await queryRows(
    db,
    "yieldFeed",
    `update feeds set ${leaseSql.release}, next_due_at = $5, last_error = coalesce(last_error, $6)
     where ${isHeld}`,
    [...leaseValues(feed), feed.nextDueAt, feed.reason],
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

/** Saves how a crawl ended and releases the feed. False when another worker holds it by now. */
export async function finishFeed(db: Db, end: LeasedFeed & CrawlEnd): Promise<boolean> {
  const count = await execute(
    db,
    "finishFeed",
    `update feeds set ${leaseSql.release}, outcome = $5, watermark = $6,
       baseline_at = $7, next_due_at = $8, last_error = $9, page_count = $10, review_count = $11,
       truncated = $12, stop_reason = $13, checked_at = $14, quarantined_reading = $15,
       rejected_count = $16, full_crawl_at = $17, full_crawl_due_at = $18, checkpoint = $19,
       quarantined_page = $20, full_page_count = $21, interval_minutes = $22,
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
      end.quarantinedPage && JSON.stringify(end.quarantinedPage),
      end.fullPageCount,
      end.intervalMinutes,
    ],
  );
  return count === 1;
}
