// Reviews that were erased because their author asked for it, and what is left of them beside the review itself.
import type { Listing } from "../../domain/listing.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { readBuckets } from "../delivery/buckets.ts";
import { type Db, execute, queryRows } from "../query.ts";

/** From now on it is not saved again. */
export async function insertErasedReview(
  db: Db,
  erased: { reviewId: string; erasedAt: Date },
): Promise<void> {
  await queryRows(
    db,
    "insertErasedReview",
    "insert into erased_reviews (review_id, erased_at) values ($1, $2) on conflict do nothing",
    [erased.reviewId, erased.erasedAt],
  );
}

/** Those of these reviews that were erased. */
export async function listErasedReviews(
  db: Db,
  reviewIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await queryRows<{ id: string }>(
    db,
    "listErasedReviews",
    "select review_id as id from erased_reviews where review_id = any($1::uuid[])",
    [reviewIds],
  );
  return new Set(found.map(({ id }) => id));
}

/** Every listing of one app of a store, public and private ones, in the order in which they are locked. */
export function listListingsOfStoreApp(
  db: Db,
  app: { store: StoreId; externalAppId: string },
): Promise<Pick<Listing, "id">[]> {
  return queryRows(
    db,
    "listListingsOfStoreApp",
    "select id from listings where store = $1 and external_app_id = $2 order by id",
    [app.store, app.externalAppId],
  );
}

/** Reviews of a listing by the name that their author chose, newest first. */
export function findReviewsByAuthor(
  db: Db,
  query: { listingId: string; author: string; limit: number },
): Promise<{ id: string; author: string; rating: number; date: Date; text: string }[]> {
  return queryRows(
    db,
    "findReviewsByAuthor",
    `select id, author, rating, date, left(body, 100) as text from reviews
     where listing_id = $1 and lower(author) = lower($2) order by date desc, id limit $3`,
    [query.listingId, query.author, query.limit],
  );
}

/** Earlier versions and jobs of a review in one listing. */
export async function deleteReviewTraces(
  db: Db,
  review: { listingId: string; reviewId: string },
): Promise<void> {
  for (const table of ["review_versions", "provider_jobs", "translation_waits"]) {
    await queryRows(
      db,
      `deleteReviewTraces.${table}`,
      `delete from ${table} where listing_id = $1 and review_id = $2`,
      [review.listingId, review.reviewId],
    );
  }
}

/**
 * Locks the channels of workspaces that follow one of the listings, and makes workers drop the deliveries of theirs
 * that they have read.
 */
export async function raiseFollowingChannels(
  db: Db,
  listings: { listingIds: readonly string[] },
): Promise<void> {
  await queryRows(
    db,
    "raiseFollowingChannels",
    `update channels set version = version + 1
     where workspace_id in (select workspace_id from apps where listing_id = any($1::uuid[]))`,
    [listings.listingIds],
  );
}

const isOfReview = `bucket = $2
  and (review_id = $1 or (event = 'digest' and position(convert_to($3, 'UTF8') in body) > 0))`;

/**
 * Deletes bodies and attempts of everything that was, or is to be, delivered about a review, and the digests that
 * quote it. Returns their number. Workers drop what they have read of it.
 */
export async function deleteDeliveriesOfReview(db: Db, reviewId: string): Promise<number> {
  const { all } = await readBuckets(db);
  const channelIds: string[] = [];
  for (const bucket of all) {
    const text = `select distinct channel_id as id from deliveries where ${isOfReview}`;
    const values = [reviewId, bucket, reviewId];
    const found = await queryRows<{ id: string }>(db, "listChannelsOfReview", text, values);
    channelIds.push(...found.map(({ id }) => id));
  }
  // The channels are locked before their deliveries, as by a redelivery, which makes none of them pending meanwhile.
  await execute(
    db,
    "raiseChannelsOfReview",
    "update channels set version = version + 1 where id = any($1::uuid[])",
    [channelIds],
  );
  let count = 0;
  for (const bucket of all) count += await deleteInBucket(db, { reviewId, bucket });
  return count;
}

async function deleteInBucket(
  db: Db,
  { reviewId, bucket }: { reviewId: string; bucket: number },
): Promise<number> {
  const text = `select id from deliveries where ${isOfReview} order by id for update`;
  const values = [reviewId, bucket, reviewId];
  const found = await queryRows<{ id: string }>(db, "lockDeliveriesOfReview", text, values);
  const ids = found.map(({ id }) => id);
  for (const [table, column] of [
    ["pending", "id"],
    ["attempts", "delivery_id"],
    ["ended_deliveries", "id"],
    ["deliveries", "id"],
  ]) {
    await execute(
      db,
      `deleteOfReview.${table}`,
      `delete from ${table} where bucket = $2 and ${column} = any($1::uuid[])`,
      [ids, bucket],
    );
  }
  return ids.length;
}
