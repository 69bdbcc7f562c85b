// Feeds: what is due to be asked of the stores, who is at it, and the coverage of what came.
import type {
  ClaimedFeed,
  CrawlCheckpoint,
  CrawlEnd,
  Feed,
  FeedKey,
  FeedKind,
} from "../../domain/feed.ts";
import { type Db, execute, queryRows } from "../query.ts";

const columns = `f.listing_id as "listingId", f.kind, f.region, f.baseline_at as "baselineAt",
  f.watermark, f.outcome, f.next_due_at as "nextDueAt", f.checked_at as "checkedAt",
  f.good_at as "goodAt", f.failure_count as "failureCount", f.last_error as "lastError",
  f.page_count as "pageCount", f.review_count as "reviewCount",
  f.rejected_count as "rejectedCount", f.truncated, f.stop_reason as "stopReason",
  f.held_reading as "quarantinedReading", f.swept_at as "fullCrawlAt",
  f.sweep_due_at as "fullCrawlDueAt", f.progress as checkpoint`;

/** Makes the feeds of these regions and deletes those of other regions: what is followed is asked. */
export async function setFeeds(
  db: Db,
  wanted: { listingId: string; kind: FeedKind; regions: readonly string[]; now: Date },
): Promise<void> {
  await queryRows(
    db,
    "insertFeeds",
    `insert into feeds (listing_id, kind, region, next_due_at)
     select $1, $2, unnest($3::text[]), $4 on conflict do nothing`,
    [wanted.listingId, wanted.kind, wanted.regions, wanted.now],
  );
  await queryRows(
    db,
    "deleteOtherFeeds",
    "delete from feeds where listing_id = $1 and kind = $2 and region <> all($3::text[])",
    [wanted.listingId, wanted.kind, wanted.regions],
  );
}

/** What has come due, earliest first; taken feeds are passed over while their lease lasts. */
export async function claimDueFeeds(
  db: Db,
  claim: { token: string; limit: number; now: Date; leasedUntil: Date },
): Promise<ClaimedFeed[]> {
  const claimed = await queryRows<StoredCheckpoint<ClaimedFeed>>(
    db,
    "claimDueFeeds",
    `update feeds f set lease_token = $1, leased_until = $4
     from (
       select listing_id, kind, region from feeds
       where next_due_at <= $3 and (leased_until is null or leased_until <= $3)
       order by next_due_at limit $2 for update skip locked
     ) due
     where (f.listing_id, f.kind, f.region) = (due.listing_id, due.kind, due.region)
     returning ${columns}, f.lease_token as "leaseToken"`,
    [claim.token, claim.limit, claim.now, claim.leasedUntil],
  );
  return claimed.map(toFeed);
}

/** All feeds of one listing that nobody is at, due or not: for a pass that a person asked for. */
export async function claimFeedsOfListing(
  db: Db,
  claim: { listingId: string; token: string; now: Date; leasedUntil: Date },
): Promise<ClaimedFeed[]> {
  const claimed = await queryRows<StoredCheckpoint<ClaimedFeed>>(
    db,
    "claimFeedsOfListing",
    `update feeds f set lease_token = $2, leased_until = $4
     where f.listing_id = $1 and (f.leased_until is null or f.leased_until <= $3)
     returning ${columns}, f.lease_token as "leaseToken"`,
    [claim.listingId, claim.token, claim.now, claim.leasedUntil],
  );
  return claimed.map(toFeed);
}

/** Makes one feed due now: somebody knows that there is news. */
export async function makeFeedDueNow(db: Db, feed: FeedKey & { now: Date }): Promise<void> {
  await queryRows(
    db,
    "makeFeedDueNow",
    `update feeds set next_due_at = least(next_due_at, $4)
     where listing_id = $1 and kind = $2 and region = $3`,
    [feed.listingId, feed.kind, feed.region, feed.now],
  );
}

export async function listFeeds(db: Db, listingId: string): Promise<Feed[]> {
  const found = await queryRows<StoredCheckpoint<Feed>>(
    db,
    "listFeeds",
    `select ${columns} from feeds f where f.listing_id = $1 order by f.kind desc, f.region`,
    [listingId],
  );
  return found.map(toFeed);
}

/**
 * Writes how far a pass has come and holds on to its feed for longer. False when somebody else holds
 * it by now: the pass was too slow, and its feed is walked elsewhere.
 */
export async function saveCheckpoint(
  db: Db,
  saved: FeedKey & { leaseToken: string; leasedUntil: Date; checkpoint: CrawlCheckpoint },
): Promise<boolean> {
  const count = await execute(
    db,
    "saveCheckpoint",
    `update feeds set leased_until = greatest(leased_until, $5), progress = $6
     where listing_id = $1 and kind = $2 and region = $3 and lease_token = $4`,
    [
      saved.listingId,
      saved.kind,
      saved.region,
      saved.leaseToken,
      saved.leasedUntil,
      JSON.stringify(saved.checkpoint),
    ],
  );
  return count === 1;
}

/** Holds on to a feed while its pass waits for the store. */
export async function renewFeedLease(
  db: Db,
  held: FeedKey & { leaseToken: string; leasedUntil: Date },
): Promise<void> {
  await queryRows(
    db,
    "renewFeedLease",
    `update feeds set leased_until = $5
     where listing_id = $1 and kind = $2 and region = $3 and lease_token = $4`,
    [held.listingId, held.kind, held.region, held.leaseToken, held.leasedUntil],
  );
}

/** Lets go of a feed in the middle of a pass: whoever claims it next goes on from its progress. */
export async function releaseFeed(
  db: Db,
  released: FeedKey & { leaseToken: string; now: Date },
): Promise<void> {
  await queryRows(
    db,
    "releaseFeed",
    `update feeds set lease_token = null, leased_until = null, next_due_at = least(next_due_at, $5)
     where listing_id = $1 and kind = $2 and region = $3 and lease_token = $4`,
    [released.listingId, released.kind, released.region, released.leaseToken, released.now],
  );
}

/** A pass that failed for reasons of our own: what it saved stays, and it is tried again later. */
export async function rescheduleFeed(
  db: Db,
  putOff: FeedKey & { leaseToken: string; lastError: string; nextDueAt: Date; now: Date },
): Promise<void> {
  await queryRows(
    db,
    "rescheduleFeed",
    `update feeds set lease_token = null, leased_until = null, outcome = 'unknown', last_error = $5,
       stop_reason = 'broken off', next_due_at = $6, checked_at = $7,
       failure_count = failure_count + 1
     where listing_id = $1 and kind = $2 and region = $3 and lease_token = $4`,
    [
      putOff.listingId,
      putOff.kind,
      putOff.region,
      putOff.leaseToken,
      putOff.lastError,
      putOff.nextDueAt,
      putOff.now,
    ],
  );
}

/** Writes how a pass ended and lets go of the feed. False when somebody else holds it by now. */
export async function finishFeed(
  db: Db,
  end: FeedKey & CrawlEnd & { leaseToken: string },
): Promise<boolean> {
  const count = await execute(
    db,
    "finishFeed",
    `update feeds set lease_token = null, leased_until = null, outcome = $5, watermark = $6,
       baseline_at = $7, next_due_at = $8, last_error = $9, page_count = $10, review_count = $11,
       truncated = $12, stop_reason = $13, checked_at = $14, held_reading = $15,
       rejected_count = $16, swept_at = $17, sweep_due_at = $18, progress = $19,
       good_at = case when $5 = 'unknown' then good_at else $14 end,
       failure_count = case when $5 = 'unknown' then failure_count + 1 else 0 end
     where listing_id = $1 and kind = $2 and region = $3 and lease_token = $4`,
    [
      end.listingId,
      end.kind,
      end.region,
      end.leaseToken,
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

/** The soonest moment at which any feed comes due, or null without feeds. */
export async function findNextFeedDueAt(db: Db): Promise<Date | null> {
  const found = await queryRows<{ at: Date | null }>(
    db,
    "findNextFeedDueAt",
    "select min(greatest(next_due_at, leased_until)) as at from feeds",
  );
  return found[0]?.at ?? null;
}

type Moments = "startedAt" | "savedAt" | "newest";
/** JSON has no dates. */
type StoredCheckpoint<F extends Feed> = Omit<F, "checkpoint"> & {
  checkpoint: (Omit<CrawlCheckpoint, Moments> & Record<Moments, string | null>) | null;
};

function toFeed<F extends Feed>(row: StoredCheckpoint<F>): F {
  const { checkpoint } = row;
  // One that an older version wrote has other keys: without it the crawl begins again at the top.
  if (!checkpoint || !("isFullCrawl" in checkpoint)) return asFeed<F>({ ...row, checkpoint: null });
  const dated = {
    ...checkpoint,
    startedAt: new Date(checkpoint.startedAt ?? 0),
    savedAt: new Date(checkpoint.savedAt ?? 0),
    newest: checkpoint.newest === null ? null : new Date(checkpoint.newest),
  };
  return asFeed<F>({ ...row, checkpoint: dated });
}

// Only the checkpoint differs between the two, and it was just converted.
function asFeed<F extends Feed>(row: object): F {
  return row as F;
}
