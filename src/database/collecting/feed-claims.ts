// The lease of a feed, from the claim to the end of the crawl; lease.ts describes the contract.
import sql, { type Sql } from "sql-template-tag";
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd, FeedKey } from "../../domain/feed/feed.ts";
import { ownKinds } from "../../domain/feed/page-quarantine.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { type Lease, type LeaseClaim, leaseSql } from "../lease.ts";
import { changesRow, type Db, queryRows } from "../query.ts";
import { assignedColumns, parameter } from "../sql.ts";
import {
  endedWithProcess,
  type FeedRow,
  feedColumns,
  isInLane,
  isPostponed,
  keepPlan,
  noteLostLease,
  toClaimedFeed,
} from "./feeds.ts";

type LeasedFeed = FeedKey & Lease;

function isHeld({ listingId, kind, region, leaseToken }: LeasedFeed): Sql {
  return sql`listing_id = ${listingId} and kind = ${kind} and region = ${region}
    and lease_token = ${leaseToken}`;
}

/**
 * Feeds that are due and free, up to the limit of each lane. The lines take turns, beginning behind the one that was
 * served last; in a line, the longest due goes first. A lease that is longer than leases are is from a clock that was
 * wrong; what lost its process twice is for postponeLostFeeds.
 */
export async function claimDueFeeds(
  db: Db,
  claim: LeaseClaim & { lanes: readonly CrawlLane[] },
): Promise<(ClaimedFeed & { lane: string; line: string })[]> {
  const { lanes, leasedUntil } = claim;
  const now = parameter(claim.now);
  // By place: by key the server would read all feeds, because it can't know how few the limits leave. The rows are
  // locked, and stay where they are.
  const claimed = await queryRows(db, "claimDueFeeds")<FeedRow & LaneKey & { line: string }>`
    update feeds f set ${leaseSql.claim(claim)}, ${noteLostLease} where f.ctid = any(array(
      select found.ctid from jsonb_to_recordset(${JSON.stringify(lanes.map(toLaneKey))})
        as lanes (store text, official boolean, long boolean, "limit" integer, after uuid)
      cross join lateral (
        with recursive lines as (
          (select w.line from feeds w where ${isInLane} order by w.line limit 1)
          union all
          select (select w.line from feeds w where ${isInLane} and w.line > lines.line order by w.line limit 1)
          from lines where lines.line is not null
        )
        select due.ctid from (select line from lines order by line <= lanes.after, line) lines
        cross join lateral (
          select w.ctid from feeds w
          where ${isInLane} and w.line = lines.line and w.next_due_at <= ${now}
            and (${leaseSql.isFree(now)} or w.leased_until > ${leasedUntil}::timestamptz + interval '5 minutes')
            and not (w.lease_token is not null and w.stop_reason is not distinct from ${endedWithProcess})
          order by w.next_due_at limit lanes."limit" for update skip locked
        ) due
        limit lanes."limit"
      ) found
    ))
    returning ${feedColumns}, f.line, f.store, f.is_official as "isOfficial", f.is_long as "isLong"`;
  return claimed.map(({ store, isOfficial, isLong, line, ...row }) => ({
    ...toClaimedFeed(row),
    line,
    lane: nameLane(lanes, { store, isOfficial, isLong }),
  }));
}

function toLaneKey({ store, isOfficial, isLong, limit, after }: CrawlLane) {
  return { store, official: isOfficial, long: isLong, limit, after };
}

/** @throws Error for a feed of another lane, which is a bug */
function nameLane(lanes: readonly CrawlLane[], feed: LaneKey): string {
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
  /** The line that was served last; null before. */
  after: string | null;
};

type LaneKey = Pick<CrawlLane, "store" | "isOfficial" | "isLong">;

/** All free feeds of one listing, or those that are named, due or not, without postponed ones: for a crawl that a user started. */
export async function claimFeedsOfListing(
  db: Db,
  claim: LeaseClaim & { listingId: string; feeds?: readonly FeedKey[] | null },
): Promise<ClaimedFeed[]> {
  const { listingId, now, feeds = null } = claim;
  const keys = feeds?.map(({ kind, region }) => `${kind} ${region}`) ?? null;
  const claimed = await queryRows(db, "claimFeedsOfListing")<FeedRow>`update feeds f
    set ${leaseSql.claim(claim)}, ${noteLostLease}, ${keepPlan(now)}
    where f.listing_id = ${listingId} and (${keys}::text[] is null or f.kind || ' ' || f.region = any(${keys}))
      and ${leaseSql.isFree(now)} and not ${isPostponed(now)}
    returning ${feedColumns}`;
  return claimed.map(toClaimedFeed);
}

/** Whether the crawl still holds the feed; if so, no other worker can claim it before the transaction ends. */
export async function lockHeldFeed(db: Db, feed: LeasedFeed): Promise<boolean> {
  const held = await queryRows(db, "lockHeldFeed")`select from feeds
    where ${isHeld(feed)} for update`;
  return held.length === 1;
}

export async function renewFeedLease(
  db: Db,
  feed: LeasedFeed & { leasedUntil: Date },
): Promise<void> {
  await queryRows(db, "renewFeedLease")`update feeds set leased_until = ${feed.leasedUntil}
    where ${isHeld(feed)}`;
}

/**
 * Saves how far a crawl has come and renews its lease. False when another worker holds the feed by now:
 * the crawl was too slow, and goes on elsewhere.
 */
export function saveCheckpoint(
  db: Db,
  feed: LeasedFeed & { leasedUntil: Date; checkpoint: CrawlCheckpoint },
): Promise<boolean> {
  return changesRow(db, "saveCheckpoint")`update feeds
      set leased_until = greatest(leased_until, ${feed.leasedUntil}),
      checkpoint = ${JSON.stringify(feed.checkpoint)}, stop_reason = null
    where ${isHeld(feed)}`;
}

/** Gives back a feed in the middle of a crawl: the next worker that claims it continues from its checkpoint. */
export async function releaseFeed(db: Db, feed: LeasedFeed & { now: Date }): Promise<void> {
  await queryRows(db, "releaseFeed")`update feeds set ${leaseSql.release},
      next_due_at = least(next_due_at, ${feed.now}), stop_reason = null
    where ${isHeld(feed)}`;
}

/**
 * Gives back a feed of which nothing is known that was not before: between two pages of a long crawl, which goes on after
 * those that are due by now, or because nothing may be requested until then.
 */
export async function yieldFeed(
  db: Db,
  feed: LeasedFeed & { nextDueAt: Date; reason: string | null },
): Promise<void> {
  await queryRows(db, "yieldFeed")`update feeds
      set ${leaseSql.release}, next_due_at = ${feed.nextDueAt},
      last_error = coalesce(last_error, ${feed.reason})
    where ${isHeld(feed)}`;
}

/** After a crawl that failed for a reason of our own: what it saved stays, and it is tried again later. */
export async function rescheduleFeed(
  db: Db,
  feed: LeasedFeed &
    Pick<CrawlEnd, "nextDueAt" | "failureCount"> & { lastError: string; now: Date },
): Promise<void> {
  await queryRows(db, "rescheduleFeed")`update feeds set ${leaseSql.release}, outcome = 'unknown',
      last_error = ${feed.lastError}, stop_reason = 'broken off', next_due_at = ${feed.nextDueAt},
      checked_at = ${feed.now}, failure_count = ${feed.failureCount}, planned_due_at = null
    where ${isHeld(feed)}`;
}

/** Saves how a crawl ended and releases the feed. False when another worker holds it by now. */
export function finishFeed(db: Db, end: LeasedFeed & CrawlEnd): Promise<boolean> {
  const { outcome, checkedAt, quarantinedPage } = end;
  const isOdd = quarantinedPage !== null && !ownKinds.includes(quarantinedPage.kind);
  const columns = assignedColumns({
    outcome,
    watermark: end.watermark,
    baseline_at: end.baselineAt,
    next_due_at: end.nextDueAt,
    planned_due_at: null,
    failure_count: end.failureCount,
    last_error: end.lastError,
    missing_part: end.missingPart,
    page_count: end.pageCount,
    review_count: end.reviewCount,
    truncated: end.truncated,
    stop_reason: end.stopReason,
    checked_at: checkedAt,
    quarantined_reading: end.quarantinedReading && JSON.stringify(end.quarantinedReading),
    rejected_count: end.rejectedCount,
    full_crawl_at: end.fullCrawlAt,
    full_crawl_due_at: end.fullCrawlDueAt,
    checkpoint: end.checkpoint && JSON.stringify(end.checkpoint),
    quarantined_page: end.quarantinedPage && JSON.stringify(end.quarantinedPage),
    full_page_count: end.fullPageCount,
    head_count: end.headCount,
    interval_minutes: end.intervalMinutes,
  });
  return changesRow(db, "finishFeed")`update feeds set ${leaseSql.release}, ${columns},
      odd_at = case when ${isOdd} then ${checkedAt} else odd_at end,
      good_at = case when ${outcome} = 'unknown' then good_at else ${checkedAt} end
    where ${isHeld(end)}`;
}
