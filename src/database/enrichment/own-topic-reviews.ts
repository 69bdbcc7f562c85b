// Which reviews have which own topics, and how far the stored reviews were read for them. Written while the listing
// is locked, like everything that follows from its reviews.

import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Review } from "../../domain/review.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { ofListings } from "../cluster/distributed-sql.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { listingValues, type SeenScope, seenListings } from "../reviews/followed-apps.ts";
import type { RollupChange } from "../reviews/reviews.ts";
import { toArrayText } from "../values.ts";
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
  const looked = [topics.map(({ topicId }) => topicId), topics.map(({ appId }) => appId)];
  await queryRows(
    db,
    "deleteOwnTopicReviews",
    `delete from own_topic_reviews o
     using unnest($1::uuid[], $2::uuid[]) t (topic_id, app_id), unnest($3::uuid[]) r (id)
     where o.app_id = t.app_id and o.topic_id = t.topic_id and o.review_id = r.id`,
    [...looked, reviews.map(({ id }) => id)],
  );
  if (found.length === 0) return;
  await queryRows(
    db,
    "insertOwnTopicReviews",
    `insert into own_topic_reviews (topic_id, app_id, review_id, date, rating, sentiment)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::smallint[], $6::text[])`,
    [
      toArrayText(found.map(({ topicId }) => topicId)),
      toArrayText(found.map(({ appId }) => appId)),
      ...toColumns(found.map(({ review }) => review)),
    ],
  );
}

/** Rows follow their reviews where date, stars or sentiment changed and the words did not. */
export async function moveOwnTopicReviews(
  db: Db,
  move: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const moved = move.changes.flatMap(({ before, after }) =>
    before && !isSame(before, after) ? [after] : [],
  );
  if (moved.length === 0) return;
  await queryRows(
    db,
    "moveOwnTopicReviews",
    `update own_topic_reviews o set date = r.date, rating = r.rating, sentiment = r.sentiment
     from apps a, unnest($2::uuid[], $3::timestamptz[], $4::smallint[], $5::text[])
       as r (id, date, rating, sentiment)
     where a.listing_id = $1 and o.app_id = a.id and o.review_id = r.id`,
    [move.listingId, ...toColumns(moved)],
  );
}

/** An erased review has no topics. */
export async function deleteOwnTopicsOfReview(
  db: Db,
  review: { listingId: string; reviewId: string },
): Promise<void> {
  await queryRows(
    db,
    "deleteOwnTopicsOfReview",
    `with unticked as (
       delete from own_topic_ticks k using apps a
       where a.listing_id = $1 and k.app_id = a.id and k.review_id = $2
     )
     delete from own_topic_reviews o using apps a
     where a.listing_id = $1 and o.app_id = a.id and o.review_id = $2`,
    [review.listingId, review.reviewId],
  );
}

/** By name. */
export function listOwnTopicsOfReviews(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<{ appId: string; reviewId: string; topic: string }[]> {
  return queryRows(
    db,
    "listOwnTopicsOfReviews",
    `select o.app_id as "appId", o.review_id as "reviewId", t.name as topic
     from own_topics t join apps a on a.workspace_id = t.workspace_id
     join own_topic_reviews o on o.app_id = a.id and o.topic_id = t.id
     where t.workspace_id = $1 and o.review_id = any($2::uuid[]) order by t.name collate "C"`,
    [query.workspaceId, query.reviewIds],
  );
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
  scope: SeenScope & { from: Day; to: Day },
): Promise<OwnTopicDay[]> {
  const counted = ["positive", "neutral", "negative", "mixed"].map(
    (label) => `(count(*) filter (where o.sentiment = '${label}'))::integer as ${label}`,
  );
  return queryRows(
    db,
    "countOwnTopicDays",
    `${ofListings("$2")}select a.id as "appId", t.name as topic, (o.date at time zone 'UTC')::date as day,
       count(*)::integer as total, ${counted.join(", ")},
       coalesce(sum(5 - o.rating) filter (where o.sentiment = 'negative'), 0)::integer as "starsLost"
     from ${seenListings}
     join own_topics t on t.workspace_id = $1
     cross join lateral (
       select o.date, o.rating, o.sentiment from own_topic_reviews o
       where o.topic_id = t.id and o.app_id = a.id and o.date >= $4::timestamptz and o.date < $5::timestamptz
         and (seen.regions is null or (
           select coalesce(r.language_hint, nullif(r.country, ''), 'und') = any(seen.regions)
           from reviews r where r.listing_id = s.listing_id and r.id = o.review_id
         ))
       offset 0
     ) o
     group by 1, 2, 3`,
    [...listingValues(scope), `${scope.from}T00:00:00Z`, `${addDays(scope.to, 1)}T00:00:00Z`],
  );
}

/** Reading begins for topics and apps that are new to each other, and again where a topic finds others now. */
export async function openOwnTopicScans(db: Db): Promise<void> {
  await queryRows(
    db,
    "openOwnTopicScans",
    `insert into own_topic_scans as s (topic_id, app_id, revision)
     select t.id, a.id, t.revision from own_topics t join apps a on a.workspace_id = t.workspace_id
     where not ${isResting} and not exists (
       select from own_topic_scans k
       where k.topic_id = t.id and k.app_id = a.id and k.revision = t.revision
     )
     order by t.id, a.id
     on conflict (topic_id, app_id) do update set revision = excluded.revision, after_id = null,
       review_count = 0, is_finished = false
     where s.revision < excluded.revision`,
  );
}

export type OwnTopicScan = { appId: string; listingId: string; afterId: string | null };

/** Where reading goes on; null when everything is read. */
export function findOpenScan(db: Db): Promise<OwnTopicScan | null> {
  return queryFirstRow(
    db,
    "findOpenScan",
    `select s.app_id as "appId", a.listing_id as "listingId", s.after_id as "afterId"
     from own_topic_scans s join apps a on a.id = s.app_id
     join own_topics t on t.id = s.topic_id and t.revision = s.revision
     where not s.is_finished and not ${isResting} order by s.app_id, s.after_id nulls first limit 1`,
  );
}

/** The topics that are read for from exactly there; their scans do not move until the transaction ends. */
export function lockOwnTopicScans(
  db: Db,
  scan: OwnTopicScan,
): Promise<{ topicId: string; revision: number }[]> {
  return queryRows(
    db,
    "lockOwnTopicScans",
    `select topic_id as "topicId", revision from own_topic_scans
     where app_id = $1 and not is_finished and after_id is not distinct from $2
     order by topic_id for update`,
    [scan.appId, scan.afterId],
  );
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
  await execute(
    db,
    "advanceOwnTopicScans",
    `update own_topic_scans set after_id = coalesce($3, after_id),
       review_count = review_count + $4, is_finished = $5
     where app_id = $1 and topic_id = any($2::uuid[])`,
    [batch.appId, batch.topicIds, batch.lastId, batch.reviewCount, batch.isFinished],
  );
  await execute(db, "raiseAppVersion", "update apps set version = version + 1 where id = $1", [
    batch.appId,
  ]);
}

function toColumns(reviews: readonly Review[]): string[] {
  return [
    toArrayText(reviews.map(({ id }) => id)),
    toArrayText(reviews.map(({ date }) => date)),
    toArrayText(reviews.map(({ rating }) => rating)),
    toArrayText(reviews.map(({ analysis }) => analysis?.sentiment?.label ?? "")),
  ];
}

function isSame(before: Review, after: Review): boolean {
  return (
    before.date.getTime() === after.date.getTime() &&
    before.rating === after.rating &&
    before.analysis?.sentiment?.label === after.analysis?.sentiment?.label
  );
}
