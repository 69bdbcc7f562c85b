// Feeds: which regions of a listing are crawled, when each is due, and what is known of it.
import type { Feed, FeedKey, FeedKind } from "../../domain/feed.ts";
import { type Db, queryRows } from "../query.ts";
import { isPostponed } from "./feed-lane-sql.ts";
import { type FeedRow, feedColumns, toFeed } from "./feed-row.ts";

/** Makes the feeds of these regions and deletes those of other regions. */
export async function setFeeds(
  db: Db,
  feeds: { listingId: string; kind: FeedKind; regions: readonly string[]; now: Date },
): Promise<void> {
  const { listingId, kind, regions, now } = feeds;
  await queryRows(
    db,
    "insertFeeds",
    `insert into feeds (listing_id, kind, region, next_due_at, store, is_official)
     select id, $2, unnest($3::text[]), $4, store, credential_id is not null and $2 = 'reviews'
     from listings where id = $1 on conflict do nothing`,
    [listingId, kind, regions, now],
  );
  await queryRows(
    db,
    "deleteOtherFeeds",
    "delete from feeds where listing_id = $1 and kind = $2 and region <> all($3::text[])",
    [listingId, kind, regions],
  );
}

export async function listFeeds(db: Db, listingId: string): Promise<Feed[]> {
  const found = await queryRows<FeedRow>(
    db,
    "listFeeds",
    `select ${feedColumns} from feeds f where f.listing_id = $1 order by f.kind desc, f.region`,
    [listingId],
  );
  return found.map(toFeed);
}

/** Of several listings, in the order of `listFeeds` for each. */
export async function listFeedsOfListings(db: Db, listingIds: readonly string[]): Promise<Feed[]> {
  const found = await queryRows<FeedRow>(
    db,
    "listFeedsOfListings",
    `select ${feedColumns} from feeds f where f.listing_id = any($1::uuid[])
     order by f.kind desc, f.region`,
    [listingIds],
  );
  return found.map(toFeed);
}

/** Makes one feed due now, unless it is due already or postponed. */
export async function makeFeedDueNow(db: Db, feed: FeedKey & { now: Date }): Promise<void> {
  await queryRows(
    db,
    "makeFeedDueNow",
    `update feeds f set next_due_at = least(next_due_at, $4)
     where listing_id = $1 and kind = $2 and region = $3 and not ${isPostponed("$4")}`,
    [feed.listingId, feed.kind, feed.region, feed.now],
  );
}
