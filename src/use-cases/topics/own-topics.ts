// The topics that a workspace defines itself: create, change, remove, and how far the stored reviews were read.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { listFilteredTopics } from "../../domain/channel.ts";
import { AppError } from "../../domain/error.ts";
import {
  type OwnTopic,
  ownTopicLimits,
  ownTopicSchema,
  phrasesSchema,
} from "../../domain/own-topic.ts";
import { failField, notFound, parseField, parseInput } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { requireWorkspace } from "../members/workspaces.ts";

/** @throws AppError `invalid_input`, or `not_found` for the workspace, `conflict` for one too many */
export async function createOwnTopic(
  deps: ActDeps<"findWorkspace" | "notify">,
  input: { workspaceId: string; name: string; phrases: readonly string[] },
): Promise<OwnTopic> {
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const { workspaceId: _, ...entered } = input;
  const { name, phrases } = parseInput(ownTopicSchema, entered);
  const createdAt = deps.clock.now();
  const topic = { id: uuidV7(createdAt), workspaceId, name, phrases, createdAt };
  await deps.database.transaction(async (tx) => {
    await tx.lockWorkspace(workspaceId);
    const { topicsMax } = ownTopicLimits;
    if ((await tx.listOwnTopics({ workspaceId })).length >= topicsMax) {
      throw new AppError("conflict", `a workspace has at most ${topicsMax} topics of its own`);
    }
    if (!(await tx.insertOwnTopic(topic))) failField("name", "there is a topic of this name");
    await recordAudit(deps, tx, "topic.created", topic, { name, phrases });
  });
  await deps.database.notify("topics");
  return { ...topic, revision: 1, training: null, restsUntil: null };
}

/** `topic` is its id or its name. */
type Named = { workspaceId: string; topic: string };

/** @throws AppError `invalid_input` or `not_found` */
export async function changeOwnTopic(
  deps: ActDeps<"notify">,
  change: Named & { phrases: readonly string[] },
): Promise<OwnTopic> {
  const { workspaceId } = change;
  const phrases = parseField(phrasesSchema, { field: "phrases", value: change.phrases });
  const topic = await deps.database.transaction(async (tx) => {
    await tx.lockWorkspace(workspaceId);
    const { id, name } = await requireOwnTopic(tx, change);
    await tx.setOwnTopicPhrases({ id, workspaceId, phrases });
    await recordAudit(deps, tx, "topic.updated", { id, workspaceId }, { name, phrases });
    return requireOwnTopic(tx, change);
  });
  await deps.database.notify("topics");
  return topic;
}

/** @throws AppError `not_found`, or `conflict` while a channel filters by it */
export async function removeOwnTopic(deps: ActDeps, topic: Named): Promise<OwnTopic> {
  const { workspaceId } = topic;
  return deps.database.transaction(async (tx) => {
    await tx.lockWorkspace(workspaceId);
    const found = await requireOwnTopic(tx, topic);
    const all = await tx.listChannels({ workspaceId });
    const channels = all.filter((one) => listFilteredTopics(one).includes(found.name));
    if (channels.length > 0) {
      const shown = channels.slice(0, channelsNamedMax);
      const names = shown.map((channel) => channel.name).join(", ");
      throw new AppError("conflict", `channels filter by this topic: ${names}. Change them first`);
    }
    await tx.deleteOwnTopic(found);
    await recordAudit(deps, tx, "topic.removed", found, { name: found.name });
    return found;
  });
}

const channelsNamedMax = 5;
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
  database: Pick<Database, "countOwnTopics" | "countTicks" | "listFollowedApps" | "listOwnTopics">,
  scope: { workspaceId: string },
): Promise<OwnTopicState[]> {
  const apps = await database.listFollowedApps({ ...scope, ids: null });
  const counted = await database.countOwnTopics({ ...scope, apps });
  const progress = new Map(counted.map(({ topicId, ...counts }) => [topicId, counts]));
  const ticks = await database.countTicks(scope);
  const ticked = new Map(ticks.map(({ topicId, ...counts }) => [topicId, counts]));
  const unticked = { rightCount: 0, wrongCount: 0 };
  const unread = { matchCount: 0, readCount: 0, totalCount: 0, isFinished: false };
  const topics = await database.listOwnTopics(scope);
  return topics.map((topic) => ({
    ...topic,
    ...(progress.get(topic.id) ?? unread),
    ...(ticked.get(topic.id) ?? unticked),
  }));
}

/** @throws AppError `not_found` */
export async function requireOwnTopic(
  database: Pick<DatabaseTransaction, "findOwnTopic">,
  topic: Named,
): Promise<OwnTopic> {
  const found = await database.findOwnTopic(topic);
  if (!found) throw notFound("topic of your own", topic.topic.slice(0, shownMax));
  return found;
}
