// Topics that workspaces define themselves. Each belongs to one workspace, which every query names.
import type { ListingTopic, OwnTopic } from "../../domain/own-topic.ts";
import { ofListings } from "../distributed-sql.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import type { SeenScope } from "../read-models/seen-listings-sql.ts";

/** Of `own_topics t`: its phrases took too much work. */
export const isResting = "coalesce(t.rests_until > now(), false)";

const columns = `t.id, t.workspace_id as "workspaceId", t.name, t.phrases, t.revision,
  t.created_at as "createdAt", t.training,
  case when ${isResting} then t.rests_until end as "restsUntil"`;

/** By name. */
export function listOwnTopics(
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<OwnTopic[]> {
  return queryRows(
    db,
    "listOwnTopics",
    `select ${columns} from own_topics t where t.workspace_id = $1 order by t.name collate "C"`,
    [workspaceId],
  );
}

/** @param query.topic its id or its name, which has no dashes */
export function findOwnTopic(
  db: Db,
  query: { workspaceId: string; topic: string },
): Promise<OwnTopic | null> {
  return queryFirstRow(
    db,
    "findOwnTopic",
    `select ${columns} from own_topics t where t.workspace_id = $1 and $2 in (t.name, t.id::text)`,
    [query.workspaceId, query.topic],
  );
}

/** The caller holds the workspace's lock. False when it has a topic of this name. */
export async function insertOwnTopic(
  db: Db,
  topic: Pick<OwnTopic, "id" | "workspaceId" | "name" | "phrases" | "createdAt">,
): Promise<boolean> {
  const count = await execute(
    db,
    "insertOwnTopic",
    `insert into own_topics (id, workspace_id, name, phrases, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [topic.id, topic.workspaceId, topic.name, topic.phrases, topic.createdAt],
  );
  if (count === 1) await raiseAppVersions(db, topic.workspaceId);
  return count === 1;
}

/** Stored reviews are read again for it. */
export async function setOwnTopicPhrases(
  db: Db,
  change: { id: string; workspaceId: string; phrases: readonly string[] },
): Promise<void> {
  await queryRows(
    db,
    "setOwnTopicPhrases",
    // Weights know the words around other phrases: they are trained again.
    `update own_topics set phrases = $3, revision = revision + 1, weights = null,
       tick_revision = tick_revision + 1, rests_until = null
     where id = $1 and workspace_id = $2 and phrases is distinct from $3::text[]`,
    [change.id, change.workspaceId, change.phrases],
  );
}

/** Nothing is looked for by them for an hour; stored reviews are read for them again afterwards. */
export async function restOwnTopics(db: Db, rest: { topicIds: readonly string[] }): Promise<void> {
  await queryRows(
    db,
    "restOwnTopics",
    `update own_topics set rests_until = now() + interval '1 hour', revision = revision + 1
     where id = any($1::uuid[])`,
    [rest.topicIds],
  );
}

/** With what it found. */
export async function deleteOwnTopic(
  db: Db,
  topic: { id: string; workspaceId: string },
): Promise<boolean> {
  const count = await execute(
    db,
    "deleteOwnTopic",
    "delete from own_topics where id = $1 and workspace_id = $2",
    [topic.id, topic.workspaceId],
  );
  if (count === 1) await raiseAppVersions(db, topic.workspaceId);
  return count === 1;
}

/** What the read API says of any app of the workspace may be another from now on. */
async function raiseAppVersions(db: Db, workspaceId: string): Promise<void> {
  await queryRows(
    db,
    "raiseAppVersions",
    "update apps set version = version + 1 where workspace_id = $1",
    [workspaceId],
  );
}

/** Of every workspace that follows the listing; none of them can be removed until the transaction ends. */
export function lockTopicsOfListing(db: Db, listingId: string): Promise<ListingTopic[]> {
  return queryRows(
    db,
    "lockTopicsOfListing",
    `select t.id, t.workspace_id as "workspaceId", a.id as "appId", t.name, t.phrases, t.revision,
       t.weights
     from apps a join own_topics t on t.workspace_id = a.workspace_id
     where a.listing_id = $1 and not ${isResting} order by t.id for key share of t`,
    [listingId],
  );
}

/** Names of the channels of the workspace that filter by the topic. */
export async function listChannelsOfTopic(
  db: Db,
  topic: { workspaceId: string; name: string },
): Promise<string[]> {
  const found = await queryRows<{ name: string }>(
    db,
    "listChannelsOfTopic",
    "select name from channels where workspace_id = $1 and $2 = any(topics) order by id",
    [topic.workspaceId, topic.name],
  );
  return found.map(({ name }) => name);
}

export type OwnTopicProgress = {
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
  { workspaceId, apps }: SeenScope,
): Promise<OwnTopicProgress[]> {
  return queryRows(
    db,
    "countOwnTopics",
    `${ofListings("$2")}with stored as (
       select a.id, (select coalesce(sum(d.total), 0) from review_weeks d
         where d.listing_id = s.listing_id and d.region = '') as total
       from unnest($2::uuid[]) s (listing_id)
       join apps a on a.workspace_id = $1 and a.listing_id = s.listing_id
     )
     select t.id as "topicId",
       (select count(*) from own_topic_reviews o where o.topic_id = t.id) as "matchCount",
       coalesce(sum(case when s.is_finished then a.total else s.review_count end), 0)::integer as "readCount",
       coalesce(sum(a.total), 0)::integer as "totalCount",
       bool_and(a.id is null or s.is_finished is true) as "isFinished"
     from own_topics t left join stored a on true
     left join own_topic_scans s on s.topic_id = t.id and s.app_id = a.id and s.revision = t.revision
     where t.workspace_id = $1 group by t.id`,
    [workspaceId, apps.map(({ listingId }) => listingId)],
  );
}
