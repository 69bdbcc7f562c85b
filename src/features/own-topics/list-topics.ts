// The topics that a workspace defines itself: found, and listed with how far the stored reviews were read.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { notFound } from "../../domain/validation-errors.ts";
import type { OwnTopic } from "./own-topic.ts";
import * as statements from "./sql.ts";

const shownMax = 60;

export type OwnTopicState = OwnTopic & {
  /** Reviews that have it. */
  matchCount: number;
  /** Stored reviews that were read for it, of so many. */
  readCount: number;
  totalCount: number;
  isFinished: boolean;
  /** Reviews that people ticked. */
  rightCount: number;
  wrongCount: number;
};

/** By name. */
export async function listOwnTopicStates(
  database: Pick<Database, "listFollowedApps" | "with">,
  scope: { workspaceId: string },
): Promise<OwnTopicState[]> {
  const topicsOf = database.with(statements);
  const apps = await database.listFollowedApps({ ...scope, ids: null });
  const counted = await topicsOf.countOwnTopics({ ...scope, apps });
  const progress = new Map(counted.map(({ topicId, ...counts }) => [topicId, counts]));
  const ticks = await topicsOf.countTicks(scope);
  const ticked = new Map(ticks.map(({ topicId, ...counts }) => [topicId, counts]));
  const unticked = { rightCount: 0, wrongCount: 0 };
  const unread = { matchCount: 0, readCount: 0, totalCount: 0, isFinished: false };
  const topics = await topicsOf.listOwnTopics(scope);
  return topics.map((topic) => ({
    ...topic,
    ...(progress.get(topic.id) ?? unread),
    ...(ticked.get(topic.id) ?? unticked),
  }));
}

/**
 * @param query.topic its id or its name
 * @throws AppError `not_found`
 */
export async function requireOwnTopic(
  database: Pick<DatabaseTransaction, "with">,
  { workspaceId, topic: id }: { workspaceId: string; topic: string },
): Promise<OwnTopic> {
  const found = await database.with(statements).findOwnTopic({ workspaceId, id });
  if (!found) throw notFound("topic", id.slice(0, shownMax));
  return found;
}
