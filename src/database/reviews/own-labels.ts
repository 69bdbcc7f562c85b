// Labels that reviews have for one workspace: its own topics. The pages, filters and counts of the core read them; the feature
// that defines the topics writes them, while the listing is locked, like everything that follows from its reviews.

import type { SentimentLabel } from "../../domain/review/analysis.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { readListings } from "../cluster/coordinator.ts";
import { type Db, queryRows, queryValues } from "../query.ts";
import { type AppScope, regionColumn, scopeListings } from "./followed-apps.ts";

/** The names of the topics that the workspace defines itself, in order. */
export function listOwnTopicNames(
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<string[]> {
  return queryValues(db, "listOwnTopicNames")`select name from own_topics
    where workspace_id = ${workspaceId} order by name collate "C"`;
}

/** An erased review has no topics. */
export async function deleteOwnTopicsOfReview(
  db: Db,
  review: { listingId: string; reviewId: string },
): Promise<void> {
  await queryRows(db, "deleteOwnTopicsOfReview")`with unticked as (
      delete from own_topic_ticks k using apps a
      where a.listing_id = ${review.listingId} and k.app_id = a.id and k.review_id = ${review.reviewId}
    )
    delete from own_topic_reviews o using apps a
    where a.listing_id = ${review.listingId} and o.app_id = a.id and o.review_id = ${review.reviewId}`;
}

/** By name. */
export function listOwnTopicsOfReviews(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<{ appId: string; reviewId: string; topic: string }[]> {
  return queryRows(db, "listOwnTopicsOfReviews")`select o.app_id as "appId",
    o.review_id as "reviewId", t.name as topic from own_topics t join apps a on a.workspace_id = t.workspace_id
    join own_topic_reviews o on o.app_id = a.id and o.topic_id = t.id
    where t.workspace_id = ${query.workspaceId} and o.review_id = any(${query.reviewIds}::uuid[])
    order by t.name collate "C"`;
}

export type OwnTopicDay = { appId: string; topic: string; day: Day } & Record<
  "total" | "starsLost" | SentimentLabel,
  number
>;

/**
 * Days with reviews of the workspace's own topics, as the workspace sees them; in no order. Own topics have no rollups:
 * each of their reviews in these days is an entry of an index. Apps of a workspace without such topics cost nothing.
 */
export async function countOwnTopicDays(
  db: Db,
  scope: AppScope & { from: Day; to: Day },
): Promise<OwnTopicDay[]> {
  const scoped = scopeListings(scope);
  return readListings(db, "countOwnTopicDays", { ...scoped, tables: ["reviews"] })`
    select a.id as "appId", t.name as topic,
      (o.date at time zone 'UTC')::date as day, count(*)::integer as total,
      (count(*) filter (where o.sentiment = 'positive'))::integer as positive,
      (count(*) filter (where o.sentiment = 'neutral'))::integer as neutral,
      (count(*) filter (where o.sentiment = 'negative'))::integer as negative,
      (count(*) filter (where o.sentiment = 'mixed'))::integer as mixed,
      coalesce(sum(5 - o.rating) filter (where o.sentiment = 'negative'), 0)::integer as "starsLost"
    from ${scoped.rows}
    join own_topics t on t.workspace_id = ${scope.workspaceId}
    cross join lateral (
      select o.date, o.rating, o.sentiment from own_topic_reviews o
      where o.topic_id = t.id and o.app_id = a.id and o.date >= ${`${scope.from}T00:00:00Z`}::timestamptz
        and o.date < ${`${addDays(scope.to, 1)}T00:00:00Z`}::timestamptz
        and (followed.regions is null or (
          select ${regionColumn} = any(followed.regions)
          from reviews r where r.listing_id = s.listing_id and r.id = o.review_id
        ))
      offset 0
    ) o
    group by 1, 2, 3`;
}
