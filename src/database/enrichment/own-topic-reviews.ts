// Which reviews have which own topics, and how far the stored reviews were read for them. Written while the listing
// is locked, like everything that follows from its reviews.

import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Review } from "../../domain/review.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { readListings } from "../cluster/coordinator.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { type AppScope, regionColumn, scopeListings } from "../reviews/followed-apps.ts";
import { nextRowVersion, unnest } from "../sql.ts";
import { isResting } from "./own-topics.ts";

type TopicOfApp = { topicId: string; appId: string };

/** The reviews have these of the topics, and no others any more. */
export async function saveOwnTopicReviews(
  db: Db,
  save: {
    /** Those that were looked for. */
    topics: readonly TopicOfApp[];
    reviews: readonly Review[];
    found: readonly (TopicOfApp & { review: Review })[];
  },
): Promise<void> {
  const { topics, reviews, found } = save;
  const looked = unnest("t", topics, {
    topic_id: ["uuid", ({ topicId }) => topicId],
    app_id: ["uuid", ({ appId }) => appId],
  });
  await queryRows(db, "deleteOwnTopicReviews")`delete from own_topic_reviews o
    using ${looked}, unnest(${reviews.map(({ id }) => id)}::uuid[]) r (id)
    where o.app_id = t.app_id and o.topic_id = t.topic_id and o.review_id = r.id`;
  if (found.length === 0) return;
  const rows = unnest("found", found, {
    topic_id: ["uuid", ({ topicId }) => topicId],
    app_id: ["uuid", ({ appId }) => appId],
    review_id: ["uuid", ({ review }) => review.id],
    date: ["timestamptz", ({ review }) => review.date],
    rating: ["smallint", ({ review }) => review.rating],
    sentiment: ["text", ({ review }) => labelOf(review) ?? ""],
  });
  await queryRows(db, "insertOwnTopicReviews")`insert into own_topic_reviews (topic_id, app_id,
    review_id, date, rating, sentiment) select * from ${rows}`;
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

/** Reading begins for topics and apps that are new to each other, and again where a topic finds others now. */
export async function openOwnTopicScans(db: Db): Promise<void> {
  await queryRows(db, "openOwnTopicScans")`insert into own_topic_scans as s (topic_id, app_id,
    revision) select t.id, a.id, t.revision from own_topics t join apps a on a.workspace_id = t.workspace_id
    where not ${isResting} and not exists (
      select from own_topic_scans k
      where k.topic_id = t.id and k.app_id = a.id and k.revision = t.revision
    )
    order by t.id, a.id
    on conflict (topic_id, app_id) do update set revision = excluded.revision, after_id = null,
      review_count = 0, is_finished = false
    where s.revision < excluded.revision`;
}

export type OwnTopicScan = {
  workspaceId: string;
  appId: string;
  listingId: string;
  afterId: string | null;
};

/** Where reading goes on, at the workspace that follows this one; null when everything is read. */
export function findOpenScan(
  db: Db,
  { afterWorkspaceId }: { afterWorkspaceId: string | null },
): Promise<OwnTopicScan | null> {
  return queryFirstRow(db, "findOpenScan")`select a.workspace_id as "workspaceId",
      s.app_id as "appId", a.listing_id as "listingId", s.after_id as "afterId"
    from own_topic_scans s join apps a on a.id = s.app_id
    join own_topics t on t.id = s.topic_id and t.revision = s.revision
    where not s.is_finished and not ${isResting}
    order by a.workspace_id > ${afterWorkspaceId}::uuid desc, a.workspace_id, s.app_id, s.after_id nulls first
    limit 1`;
}

/** The topics that are read for from exactly there; their scans do not move until the transaction ends. */
export function lockOwnTopicScans(
  db: Db,
  scan: OwnTopicScan,
): Promise<{ topicId: string; revision: number }[]> {
  return queryRows(db, "lockOwnTopicScans")`select topic_id as "topicId", revision
    from own_topic_scans
    where app_id = ${scan.appId} and not is_finished and after_id is not distinct from ${scan.afterId}
    order by topic_id for update`;
}

/** @param batch.lastId null: there was nothing */
export async function advanceOwnTopicScans(
  db: Db,
  batch: {
    appId: string;
    topicIds: readonly string[];
    lastId: string | null;
    reviewCount: number;
    isFinished: boolean;
  },
): Promise<void> {
  await execute(db, "advanceOwnTopicScans")`update own_topic_scans
      set after_id = coalesce(${batch.lastId}, after_id),
      review_count = review_count + ${batch.reviewCount}, is_finished = ${batch.isFinished}
    where app_id = ${batch.appId} and topic_id = any(${batch.topicIds}::uuid[])`;
  await execute(db, "raiseAppVersion")`update apps set version = ${nextRowVersion}
    where id = ${batch.appId}`;
}

function labelOf({ analysis }: Review): SentimentLabel | undefined {
  return analysis?.sentiment?.label;
}
