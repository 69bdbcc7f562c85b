// Topics that workspaces define themselves, and the ticks that train them. Each belongs to one workspace, which every
// query names.
import sql from "sql-template-tag";
import { readListings } from "../../database/cluster/coordinator.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../../database/query.ts";
import type { AppScope } from "../../database/reviews/followed-apps.ts";
import {
  insertedColumns,
  nextRowVersion,
  nextVersion,
  parameter,
  unnest,
} from "../../database/sql.ts";
import type { SentimentLabel } from "../../domain/review/analysis.ts";
import type { Review } from "../../domain/review/review.ts";
import type { ListingTopic, OwnTopic, TopicTraining } from "./own-topic.ts";

/** Whether matching of `own_topics t` is suspended because its phrases took too much work. */
const isResting = sql`coalesce(t.rests_until > now(), false)`;

const columns = sql`t.id, t.workspace_id as "workspaceId", t.name, t.phrases, t.revision,
  t.created_at as "createdAt", t.settings_version as version, t.training,
  case when ${isResting} then t.rests_until end as "restsUntil"`;

/** By name. */
export function listOwnTopics(
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<OwnTopic[]> {
  return queryRows(db, "listOwnTopics")`select ${columns} from own_topics t
    where t.workspace_id = ${workspaceId} order by t.name collate "C"`;
}

/** @param query.id its id or its name, which has no dashes; only an id names one of all workspaces */
export function findOwnTopic(
  db: Db,
  query: { workspaceId: string | null; id: string },
): Promise<OwnTopic | null> {
  const { workspaceId, id } = query;
  return queryFirstRow(db, "findOwnTopic")`select ${columns} from own_topics t
      where t.id::text = ${id} and (${workspaceId}::uuid is null or t.workspace_id = ${workspaceId})
    or t.name = ${id} and t.workspace_id = ${workspaceId}`;
}

/** The caller holds the workspace's lock. False when it has a topic of this name. */
export async function insertOwnTopic(
  db: Db,
  topic: Pick<OwnTopic, "id" | "workspaceId" | "name" | "phrases" | "createdAt">,
): Promise<boolean> {
  const columns = insertedColumns({
    id: topic.id,
    workspace_id: topic.workspaceId,
    name: topic.name,
    phrases: topic.phrases,
    created_at: topic.createdAt,
    settings_version: topic.createdAt.getTime(),
  });
  const count = await execute(db, "insertOwnTopic")`insert into own_topics ${columns}
    on conflict do nothing`;
  if (count === 1) await raiseAppVersions(db, topic.workspaceId);
  return count === 1;
}

/** Stored reviews are read again for it. */
export async function setOwnTopicPhrases(
  db: Db,
  change: { id: string; workspaceId: string; phrases: readonly string[]; now: Date },
): Promise<void> {
  // Weights know the words around other phrases: they are trained again.
  await queryRows(db, "setOwnTopicPhrases")`update own_topics
      set phrases = ${change.phrases}, revision = revision + 1,
      settings_version = ${nextVersion(change.now)}, weights = null, tick_revision = tick_revision + 1, rests_until = null
    where id = ${change.id} and workspace_id = ${change.workspaceId} and phrases is distinct
    from ${change.phrases}::text[]`;
}

/** Nothing is looked for by them for an hour; stored reviews are read for them again afterwards. */
export async function restOwnTopics(db: Db, rest: { topicIds: readonly string[] }): Promise<void> {
  await queryRows(db, "restOwnTopics")`update own_topics
      set rests_until = now() + interval '1 hour', revision = revision + 1
    where id = any(${rest.topicIds}::uuid[])`;
}

/** With what it found. */
export async function deleteOwnTopic(
  db: Db,
  topic: { id: string; workspaceId: string },
): Promise<boolean> {
  const count = await execute(db, "deleteOwnTopic")`delete from own_topics where id = ${topic.id}
      and workspace_id = ${topic.workspaceId}`;
  if (count === 1) await raiseAppVersions(db, topic.workspaceId);
  return count === 1;
}

/** The read API's answers about any app of the workspace may change from now on. */
async function raiseAppVersions(db: Db, workspaceId: string): Promise<void> {
  await queryRows(db, "raiseAppVersions")`update apps set version = ${nextRowVersion}
    where workspace_id = ${workspaceId}`;
}

/** The topics of every workspace that follows the listing; none of them can be removed until the transaction ends. */
export function lockTopicsOfListing(db: Db, listingId: string): Promise<ListingTopic[]> {
  return queryRows(db, "lockTopicsOfListing")`select t.id, t.workspace_id as "workspaceId",
      a.id as "appId", t.name, t.phrases, t.revision, t.weights
    from apps a join own_topics t on t.workspace_id = a.workspace_id
    where a.listing_id = ${listingId} and not ${isResting} order by t.id for key share of t`;
}

type OwnTopicProgress = {
  topicId: string;
  /** How many reviews have it. */
  matchCount: number;
  /** Stored reviews that were read for it, of so many. */
  readCount: number;
  totalCount: number;
  isFinished: boolean;
};

/** How many reviews each topic of the workspace has, and how far the stored ones were read. */
export function countOwnTopics(
  db: Db,
  { workspaceId, apps }: AppScope,
): Promise<OwnTopicProgress[]> {
  const listingIds = parameter(apps.map(({ listingId }) => listingId));
  return readListings(db, "countOwnTopics", { listingIds, tables: ["review_weeks"] })`
    select t.id as "topicId",
      (select count(*) from own_topic_reviews o where o.topic_id = t.id) as "matchCount",
      coalesce(sum(case when s.is_finished then a.total else s.review_count end), 0)::integer as "readCount",
      coalesce(sum(a.total), 0)::integer as "totalCount",
      bool_and(a.id is null or s.is_finished is true) as "isFinished"
    from own_topics t left join (
      select a.id, (select coalesce(sum(d.total), 0) from review_weeks d
        where d.listing_id = s.listing_id and d.region = '') as total
      from unnest(${listingIds}::uuid[]) s (listing_id)
      join apps a on a.workspace_id = ${workspaceId} and a.listing_id = s.listing_id
    ) a on true
    left join own_topic_scans s on s.topic_id = t.id and s.app_id = a.id and s.revision = t.revision
    where t.workspace_id = ${workspaceId} group by t.id`;
}

// Ticks: what people said of reviews and own topics, and the weights that were trained on them.

type Tick = { topicId: string; appId: string; reviewId: string; isRight: boolean };

/** Replaces what was ticked before. */
export async function saveTick(
  db: Db,
  tick: Tick & { userId: string | null; now: Date },
): Promise<void> {
  await queryRows(db, "saveTick")`with ticked as (
      insert into own_topic_ticks (topic_id, app_id, review_id, is_right, user_id, ticked_at)
      values (${tick.topicId}, ${tick.appId}, ${tick.reviewId}, ${tick.isRight}, ${tick.userId},
        ${tick.now})
      on conflict (topic_id, app_id, review_id) do update
        set is_right = excluded.is_right, user_id = excluded.user_id, ticked_at = excluded.ticked_at
    ),
    shown as (update apps set version = ${nextRowVersion} where id = ${tick.appId})
    update own_topics set tick_revision = tick_revision + 1 where id = ${tick.topicId}`;
}

export function listTicksOfReviews(
  db: Db,
  query: { appIds: readonly string[]; reviewIds: readonly string[] },
): Promise<Tick[]> {
  return queryRows(db, "listTicksOfReviews")`select topic_id as "topicId", app_id as "appId",
      review_id as "reviewId", is_right as "isRight"
    from own_topic_ticks where app_id = any(${query.appIds}::uuid[])
      and review_id = any(${query.reviewIds}::uuid[])`;
}

export function countTicks(
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<{ topicId: string; rightCount: number; wrongCount: number }[]> {
  return queryRows(db, "countTicks")`select t.id as "topicId",
      (count(*) filter (where k.is_right))::integer as "rightCount",
      (count(*) filter (where not k.is_right))::integer as "wrongCount"
    from own_topics t join own_topic_ticks k on k.topic_id = t.id
    where t.workspace_id = ${workspaceId} group by t.id`;
}

/** The newest reviews with the topic that have no tick yet. */
export function listUntickedReviews(
  db: Db,
  query: { workspaceId: string; topicId: string; limit: number },
): Promise<{ listingId: string; id: string }[]> {
  return queryRows(db, "listUntickedReviews")`select a.listing_id as "listingId", o.review_id as id
    from followed_apps a cross join lateral (
      select o.review_id, o.date from own_topic_reviews o
      where o.topic_id = ${query.topicId} and o.app_id = a.id and not exists (
        select from own_topic_ticks k
        where k.topic_id = o.topic_id and k.app_id = o.app_id and k.review_id = o.review_id
      )
      order by o.date desc, o.review_id desc limit ${query.limit}
    ) o
    where a.workspace_id = ${query.workspaceId} order by o.date desc, o.review_id desc
    limit ${query.limit}`;
}

type TopicToTrain = Pick<OwnTopic, "id" | "workspaceId" | "phrases"> & {
  tickRevision: number;
  /** Of its workspace. */
  memberCount: number;
};

/** Topics that were ticked since they were trained last. */
export function listTopicsToTrain(db: Db): Promise<TopicToTrain[]> {
  return queryRows(db, "listTopicsToTrain")`select id, workspace_id as "workspaceId", phrases,
      tick_revision as "tickRevision",
      (select count(*) from members m where m.workspace_id = t.workspace_id)::integer as "memberCount"
    from own_topics t where tick_revision <> trained_revision order by id`;
}

/** In the order of their ids, so that the same ticks train the same weights. */
export function listTickedReviews(
  db: Db,
  query: { topicId: string; unitsMax: number; limit: number },
): Promise<{ title: string | null; text: string; isRight: boolean; userId: string | null }[]> {
  return queryRows(db, "listTickedReviews")`select r.title, left(r.body, ${query.unitsMax}) as text,
      k.is_right as "isRight", k.user_id as "userId"
    from own_topic_ticks k join apps a on a.id = k.app_id
    join reviews r on r.listing_id = a.listing_id and r.id = k.review_id
    where k.topic_id = ${query.topicId} order by k.review_id limit ${query.limit}`;
}

/**
 * Stored reviews are read again where other weights decide. Nothing where another process was faster, or where the topic
 * has other phrases by now: the weights know the words around those.
 */
export async function saveTopicTraining(
  db: Db,
  save: Pick<OwnTopic, "id" | "phrases"> & {
    tickRevision: number;
    weights: Buffer | null;
    training: TopicTraining;
  },
): Promise<void> {
  await queryRows(db, "saveTopicTraining")`update own_topics
      set trained_revision = ${save.tickRevision},
      training = ${JSON.stringify(save.training)}, revision = revision + case when weights is distinct
    from ${save.weights} then 1 else 0 end, weights = ${save.weights}
    where id = ${save.id} and trained_revision < ${save.tickRevision} and phrases = ${save.phrases}::text[]`;
}

// Labels: which reviews have which topics, and how far the stored reviews were read for them.

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
