// Reviews with everything that the review feed of the dashboard shows, and their earlier versions.
import type { ReviewVersion } from "../../domain/review/review.ts";
import { readListings } from "../cluster/coordinator.ts";
import { type Db, queryRows } from "../query.ts";
import { parameter } from "../sql.ts";
import { regionColumn } from "./followed-apps.ts";
import { type ReviewRow, reviewColumns } from "./reviews.ts";

export type FeedReviewRow = ReviewRow & { listingId: string };

/** Those of the reviews that belong to an app of the workspace, in no order. */
export function loadFeedReviews(
  db: Db,
  query: { workspaceId: string; reviews: readonly { listingId: string; id: string }[] },
): Promise<FeedReviewRow[]> {
  const { workspaceId, reviews } = query;
  const listingIds = parameter(reviews.map(({ listingId }) => listingId));
  return readListings(db, "loadFeedReviews", { listingIds, tables: ["reviews"] })`
    select listing_id as "listingId", ${reviewColumns}
    from (
      select r.* from unnest(${listingIds}::uuid[], ${reviews.map(({ id }) => id)}::uuid[]) w (listing_id, id)
      join reviews r on r.listing_id = w.listing_id and r.id = w.id
    ) r
    where exists (
      select from followed_apps a where a.workspace_id = ${workspaceId} and a.listing_id = r.listing_id
        and (a.regions is null or ${regionColumn} = any(a.regions))
    )`;
}

/** Oldest first. */
export function listReviewVersions(
  db: Db,
  query: { workspaceId: string; listingId: string; reviewId: string },
): Promise<ReviewVersion[]> {
  return queryRows(db, "listReviewVersions")`select v.number, v.rating, v.title, v.body as text,
      v.version, v.date, v.replaced_at as "replacedAt"
    from review_versions v
    where v.listing_id = ${query.listingId} and v.review_id = ${query.reviewId} and exists (
      select from apps a where a.workspace_id = ${query.workspaceId} and a.listing_id = v.listing_id
    )
    order by v.number`;
}
