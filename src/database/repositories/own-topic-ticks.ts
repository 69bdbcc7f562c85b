// Ticks: what people said of reviews and own topics, and the weights that were trained on them.
import type { TopicTraining } from "../../domain/own-topic.ts";
import { type Db, queryRows } from "../query.ts";

type Tick = { topicId: string; appId: string; reviewId: string; isRight: boolean };

/** Replaces what was ticked before. */
export async function saveTick(
  db: Db,
  tick: Tick & { userId: string | null; now: Date },
): Promise<void> {
  await queryRows(
    db,
    "saveTick",
    `with ticked as (
       insert into own_topic_ticks (topic_id, app_id, review_id, is_right, user_id, ticked_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (topic_id, app_id, review_id) do update
         set is_right = excluded.is_right, user_id = excluded.user_id, ticked_at = excluded.ticked_at
     ),
     shown as (update apps set version = version + 1 where id = $2)
     update own_topics set tick_revision = tick_revision + 1 where id = $1`,
    [tick.topicId, tick.appId, tick.reviewId, tick.isRight, tick.userId, tick.now],
  );
}

export function listTicksOfReviews(
  db: Db,
  query: { appIds: readonly string[]; reviewIds: readonly string[] },
): Promise<Tick[]> {
  return queryRows(
    db,
    "listTicksOfReviews",
    `select topic_id as "topicId", app_id as "appId", review_id as "reviewId", is_right as "isRight"
     from own_topic_ticks where app_id = any($1::uuid[]) and review_id = any($2::uuid[])`,
    [query.appIds, query.reviewIds],
  );
}

export function countTicks(
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<{ topicId: string; rightCount: number; wrongCount: number }[]> {
  return queryRows(
    db,
    "countTicks",
    `select t.id as "topicId", (count(*) filter (where k.is_right))::integer as "rightCount",
       (count(*) filter (where not k.is_right))::integer as "wrongCount"
     from own_topics t join own_topic_ticks k on k.topic_id = t.id
     where t.workspace_id = $1 group by t.id`,
    [workspaceId],
  );
}

/** The newest reviews with the topic that nobody has ticked. */
export function listUntickedReviews(
  db: Db,
  query: { workspaceId: string; topicId: string; limit: number },
): Promise<{ listingId: string; id: string }[]> {
  return queryRows(
    db,
    "listUntickedReviews",
    `select a.listing_id as "listingId", o.review_id as id
     from followed_apps a cross join lateral (
       select o.review_id, o.date from own_topic_reviews o
       where o.topic_id = $2 and o.app_id = a.id and not exists (
         select from own_topic_ticks k
         where k.topic_id = o.topic_id and k.app_id = o.app_id and k.review_id = o.review_id
       )
       order by o.date desc, o.review_id desc limit $3
     ) o
     where a.workspace_id = $1 order by o.date desc, o.review_id desc limit $3`,
    [query.workspaceId, query.topicId, query.limit],
  );
}

/** Topics that were ticked since they were trained last. */
export function listTopicsToTrain(
  db: Db,
): Promise<{ id: string; workspaceId: string; phrases: string[]; tickRevision: number }[]> {
  return queryRows(
    db,
    "listTopicsToTrain",
    `select id, workspace_id as "workspaceId", phrases, tick_revision as "tickRevision" from own_topics
     where tick_revision <> trained_revision order by id`,
  );
}

/** In the order of their ids, so that the same ticks train the same weights. */
export function listTickedReviews(
  db: Db,
  query: { topicId: string; unitsMax: number; limit: number },
): Promise<{ title: string | null; text: string; isRight: boolean }[]> {
  return queryRows(
    db,
    "listTickedReviews",
    `select r.title, left(r.body, $2) as text, k.is_right as "isRight"
     from own_topic_ticks k join apps a on a.id = k.app_id
     join reviews r on r.listing_id = a.listing_id and r.id = k.review_id
     where k.topic_id = $1 order by k.review_id limit $3`,
    [query.topicId, query.unitsMax, query.limit],
  );
}

/** Stored reviews are read again where other weights decide. Nothing where another process was faster. */
export async function saveTopicTraining(
  db: Db,
  save: { id: string; tickRevision: number; weights: Buffer | null; training: TopicTraining },
): Promise<void> {
  await queryRows(
    db,
    "saveTopicTraining",
    `update own_topics set trained_revision = $2, training = $4,
       revision = revision + case when weights is distinct from $3 then 1 else 0 end, weights = $3
     where id = $1 and trained_revision < $2`,
    [save.id, save.tickRevision, save.weights, JSON.stringify(save.training)],
  );
}
