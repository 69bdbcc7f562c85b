// Reviews and their earlier versions, written in bulk by the ingest transaction alone.
import { type Review, type ReviewVersion, regionOf } from "../../domain/review.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { isDistributed } from "../distributed-reads.ts";
import { distributed } from "../distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { insertListingValues } from "./listing-values.ts";
import { raiseListingVersion } from "./listings.ts";
import {
  reviewColumns as columns,
  type ReviewRow,
  selectUnnested,
  toArrays,
  toReview,
  toValues,
  unnestedColumns,
  unnestedNames,
} from "./review-row.ts";

/** Those of these reviews that are stored, in no order. */
export async function loadReviews(
  db: Db,
  query: { listingId: string; ids: readonly string[] },
): Promise<Review[]> {
  const found = await queryRows<ReviewRow>(
    db,
    // Without a name it is planned each time. A plan from when the table was small would read all of it
    // for every batch of a backfill.
    "",
    `${distributed}select ${columns} from ${reviewsByIds("$1", "$2")}`,
    [query.listingId, query.ids],
  );
  return found.map(toReview);
}

/**
 * What a statement without a name selects from, which begins with `distributed`: reviews of a listing by their ids.
 *
 * One lookup of the index for each id: with all ids in one condition, the server scans the index from the first
 * to the last, past nearly every review of a large app. The listing is a row of its own, because of a value that
 * is in no statistics yet the server believes that there are no reviews, and takes an index without the id.
 */
export function reviewsByIds(listingId: string, ids: string): string {
  return `(select ${listingId}::uuid as listing_id offset 0) only_listing
     cross join unnest(${ids}::uuid[]) as ids (review_id)
     cross join lateral (
       select * from reviews r
       where r.listing_id = only_listing.listing_id and r.id = ids.review_id
         /*distributed and r.listing_id = ${listingId} */ offset 0
     ) found`;
}

/** One batch of a listing's reviews in the order of their ids; start with null. */
export async function listReviewsById(
  db: Db,
  batch: { listingId: string; afterId: string | null; limit: number },
): Promise<Review[]> {
  const found = await queryRows<ReviewRow>(
    db,
    "listReviewsById",
    `select ${columns} from reviews where listing_id = $1 and id > $2
     order by id limit $3`,
    [batch.listingId, batch.afterId ?? lowestUuid, batch.limit],
  );
  return found.map(toReview);
}

export async function insertReviews(
  db: Db,
  insert: { listingId: string; reviews: readonly Review[] },
): Promise<void> {
  if (insert.reviews.length === 0) return;
  const { changedAt } = await raiseVersion(db, insert);
  if (await isDistributed(db)) {
    const { listingId, reviews } = insert;
    const into = `reviews (listing_id, changed_at, ${unnestedColumns})`;
    const rows = reviews.map((review) => [changedAt, ...toValues(review)]);
    return insertListingValues(db, { into, listingId, rows });
  }
  await queryRows(
    db,
    "insertReviews",
    `insert into reviews (changed_at, listing_id, ${unnestedColumns})
     select ${changedAtParameter}, n.* from (${selectUnnested}) n`,
    [insert.listingId, ...toArrays(insert.reviews), changedAt],
  );
}

/** Overwrites reviews by their id; call `insertReviewVersions` first. */
export async function updateReviews(
  db: Db,
  update: { listingId: string; reviews: readonly Review[] },
): Promise<void> {
  if (update.reviews.length === 0) return;
  const { changedAt } = await raiseVersion(db, update);
  await queryRows(
    db,
    // Planned each time, and with the listing in a row, like `reviewsByIds`.
    "",
    `${distributed}update reviews r set changed_at = ${changedAtParameter},
       ${unnestedNames.map((name) => `${name} = n.${name}`).join(", ")}
     from (${selectUnnested} offset 0) n (listing_id, ${unnestedColumns})
     where r.listing_id = n.listing_id and r.id = n.id /*distributed and r.listing_id = $1 */`,
    [update.listingId, ...toArrays(update.reviews), changedAt],
  );
}

/** What `raiseListingVersion` returned, behind the listing and the columns of its reviews. */
const changedAtParameter = `$${unnestedNames.length + 2}::timestamptz`;

async function raiseVersion(
  db: Db,
  written: { listingId: string; reviews: readonly Review[] },
): Promise<{ changedAt: string | null }> {
  const regions = [...new Set(written.reviews.map(regionOf))];
  return raiseListingVersion(db, { listingId: written.listingId, regions });
}

/** Saves the present content of these reviews as a version with the next number of each. */
export async function insertReviewVersions(
  db: Db,
  insert: { listingId: string; reviewIds: readonly string[]; now: Date },
): Promise<void> {
  if (insert.reviewIds.length === 0) return;
  await queryRows(
    db,
    "",
    `${distributed}insert into review_versions
       (listing_id, review_id, number, rating, title, body, version, date, replaced_at)
     select found.listing_id, id,
       (select coalesce(max(v.number), 0) + 1 from review_versions v
        where v.listing_id = found.listing_id and v.review_id = found.id
          /*distributed and v.listing_id = $1 */),
       rating, title, body, version, date, $3
     from ${reviewsByIds("$1", "$2")}`,
    [insert.listingId, insert.reviewIds, insert.now],
  );
}

/** Earlier versions of these reviews, oldest first. */
export function loadReviewVersions(
  db: Db,
  query: { listingId: string; reviewIds: readonly string[] },
): Promise<(ReviewVersion & { reviewId: string })[]> {
  return queryRows(
    db,
    "loadReviewVersions",
    `select review_id as "reviewId", number, rating, title, body as text, version, date,
       replaced_at as "replacedAt"
     from review_versions where listing_id = $1 and review_id = any($2::uuid[])
     order by review_id, number`,
    [query.listingId, query.reviewIds],
  );
}
