// Reviews that were erased because their author asked for it, and what is left of them beside the review itself.
import sql, { raw, type Sql } from "sql-template-tag";
import type { Listing } from "../../domain/feed/listing.ts";
import { anyCasePattern } from "../../domain/review/letter-case.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { type Db, execute, queryRows, queryValues } from "../query.ts";
import { nextRowVersion } from "../sql.ts";

/** An erased review is not saved again. */
export async function insertErasedReview(
  db: Db,
  erased: { reviewId: string; erasedAt: Date },
): Promise<void> {
  await queryRows(db, "insertErasedReview")`insert into erased_reviews (review_id, erased_at)
    values (${erased.reviewId}, ${erased.erasedAt}) on conflict do nothing`;
}

/** In the order of their ids; `reviewId` says nothing about a review without its store's id. */
export function listAllErasedReviews(
  db: Db,
  query: { afterId: string | null; limit: number },
): Promise<{ reviewId: string; erasedAt: Date }[]> {
  return queryRows(db, "listAllErasedReviews")`select review_id as "reviewId",
    erased_at as "erasedAt" from erased_reviews
    where ${query.afterId}::uuid is null or review_id > ${query.afterId}
    order by review_id limit ${query.limit}`;
}

/** Which of these reviews were erased. */
export async function listErasedReviews(
  db: Db,
  reviewIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues(db, "listErasedReviews")<string>`select review_id as id
    from erased_reviews where review_id = any(${reviewIds}::uuid[])`,
  );
}

/** Every listing of one app of a store, public and private ones, in the order in which they are locked. */
export function listListingsOfStoreApp(
  db: Db,
  app: { store: StoreId; externalAppId: string },
): Promise<Pick<Listing, "id">[]> {
  return queryRows(db, "listListingsOfStoreApp")`select id from listings where store = ${app.store}
      and external_app_id = ${app.externalAppId} order by id`;
}

/** Reviews of a listing by the name that their author chose, newest first. */
export function findReviewsByAuthor(
  db: Db,
  query: { listingId: string; author: string; limit: number },
): Promise<{ id: string; author: string; rating: number; date: Date; text: string }[]> {
  return queryRows(db, "findReviewsByAuthor")`select id, author, rating, date, left(body,
    100) as text from reviews where listing_id = ${query.listingId}
      and author ~ ${`^${anyCasePattern(query.author)}$`}
    order by date desc, id limit ${query.limit}`;
}

/** Earlier versions and jobs of a review in one listing. */
export async function deleteReviewTraces(
  db: Db,
  review: { listingId: string; reviewId: string },
): Promise<void> {
  for (const table of ["review_versions", "provider_jobs", "translation_waits"]) {
    await queryRows(db, `deleteReviewTraces.${table}`)`
      delete from ${raw(table)} where listing_id = ${review.listingId}
        and review_id = ${review.reviewId}`;
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
  await queryRows(db, "raiseFollowingChannels")`update channels set version = ${nextRowVersion}
    where workspace_id in (select workspace_id from apps
      where listing_id = any(${listings.listingIds}::uuid[]))`;
}

const isOfReview = (reviewId: string): Sql =>
  sql`(review_id = ${reviewId}
    or (event in ('digest', 'release.worse') and position(convert_to(${reviewId}, 'UTF8') in body) > 0))`;

/**
 * Deletes bodies and attempts of all deliveries about a review, sent or pending, and of the digests and alerts
 * that quote it. Returns their number. Workers drop what they have read of it.
 */
export async function deleteDeliveriesOfReview(db: Db, reviewId: string): Promise<number> {
  // Lock the channels first, like a redelivery does: it can't make one of the deliveries pending meanwhile.
  await execute(db, "raiseChannelsOfReview")`update channels set version = ${nextRowVersion}
    where id in (select channel_id from deliveries where ${isOfReview(reviewId)})`;
  const ids = await queryValues(db, "lockDeliveriesOfReview")<string>`select id from deliveries
    where ${isOfReview(reviewId)} order by id for update`;
  for (const [table, column] of [
    ["pending", "id"],
    ["attempts", "delivery_id"],
    ["ended_deliveries", "id"],
    ["deliveries", "id"],
  ] as const) {
    await execute(db, `deleteOfReview.${table}`)`
      delete from ${raw(table)} where ${raw(column)} = any(${ids}::uuid[])`;
  }
  return ids.length;
}
