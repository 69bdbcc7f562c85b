// Topics that a workspace defines itself: create, change, tick, remove.
import { z } from "zod";
import type { DatabaseTransaction } from "../../database/database.ts";
import { listFilteredTopics } from "../../domain/channel/channel.ts";
import { AppError } from "../../domain/error.ts";
import { idSchema } from "../../domain/fields.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { action, creation, defineNoun, readSaved } from "../../operations/operation.ts";
import { lockApp } from "../../use-cases/apps/apps.ts";
import { requireSeenReview } from "../../use-cases/reviews/seen-reviews.ts";
import { type OwnTopic, ownTopicLimits, ownTopicSchema } from "./own-topic.ts";
import * as statements from "./sql.ts";

export const topicNoun = defineNoun<OwnTopic>({
  noun: "topic",
  plural: "topics",
  path: "own-topics",
  isNamed: true,
  find: (database, ref) => database.with(statements).findOwnTopic(ref),
  list: (database, workspaceId) => database.with(statements).listOwnTopics({ workspaceId }),
  toView: ({ id, name, phrases, createdAt }) => ({
    id,
    name,
    phrases,
    createdAt: formatTimestamp(createdAt),
  }),
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the topic."),
      ...ownTopicSchema.shape,
      createdAt: z.iso.datetime().describe("When the topic was created."),
    })
    .meta({ id: "ManagedTopic" }),
});

const limits = [{ perMinute: 30, by: "workspace" }] as const;

export const createTopic = creation(topicNoun, {
  verb: "create",
  summary: "Create a topic",
  description: "Stored reviews are read for its phrases, the newest first.",
  role: "member",
  scope: "manage",
  limits,
  audit: "topic.created",
  notifies: "topics",
  schema: ownTopicSchema,
  async run({ tx, workspaceId, now, ...context }, { input: { name, phrases } }) {
    const { topicsMax } = ownTopicLimits;
    context.finally("count of topics", async () => {
      if ((await tx.with(statements).listOwnTopics({ workspaceId })).length > topicsMax)
        throw new AppError("conflict", `a workspace has at most ${topicsMax} topics of its own`);
    });
    const id = uuidV7(now);
    if (
      !(await tx
        .with(statements)
        .insertOwnTopic({ id, workspaceId, name, phrases, createdAt: now }))
    )
      failField("name", "there is a topic of this name");
    return {
      result: await readSaved(topicNoun, tx, { id, workspaceId }),
      id,
      detail: { name, phrases },
    };
  },
});

export const changeTopic = action(topicNoun, {
  verb: "change",
  summary: "Change a topic",
  description: "Fields that are left out stay as they are.",
  role: "member",
  scope: "manage",
  limits,
  audit: "topic.updated",
  notifies: "topics",
  schema: ownTopicSchema.pick({ phrases: true }).partial().meta({ id: "TopicChange" }),
  async run({ tx, now }, { before, input }) {
    const { id, workspaceId } = before;
    const { phrases = before.phrases } = input;
    await tx.with(statements).setOwnTopicPhrases({ id, workspaceId, phrases, now });
    const result = await readSaved(topicNoun, tx, before);
    return { result, detail: {} };
  },
});

/** A tick holds for its review at once, and teaches the topic. */
export const tickTopic = action(topicNoun, {
  verb: "tick",
  summary: "Say whether a review has a topic",
  description: "It holds for the review at once, and teaches the topic.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 120, by: "workspace" }],
  audit: "topic.ticked",
  keepsVersion: true,
  notifies: "topics",
  output: {
    operationId: "tickTopic",
    schema: z
      .object({
        rightCount: z.int().describe("Ticks of the topic that say right."),
        wrongCount: z.int().describe("Ticks that say wrong."),
      })
      .meta({ id: "TopicTicks" }),
  },
  schema: z
    .strictObject({
      review: idSchema.transform((id) => id.toLowerCase()).describe("The id of the review."),
      isRight: z
        .boolean({ error: "must be true or false" })
        .describe("Whether the review has the topic."),
    })
    .meta({ id: "TopicTickInput" }),
  async run({ tx, workspaceId, actor, now }, { before, input: { review: reviewId, isRight } }) {
    const { id: appId } = (await requireSeenReview(tx, { workspaceId, id: reviewId })).app;
    // As in ingest: what the review has changes under the listing's lock.
    const { listingId } = (await lockApp(tx, { id: appId, workspaceId })).app;
    const [review] = await tx.loadReviews({ listingId, ids: [reviewId] });
    if (!review) throw notFound("review", reviewId);
    const { ticksMax } = ownTopicLimits;
    const known = await countTicks(tx, before);
    if (known.rightCount + known.wrongCount >= ticksMax)
      throw new AppError("conflict", `a topic takes at most ${ticksMax} ticks`);
    const topic = { topicId: before.id, appId };
    const userId = actor.kind === "user" ? actor.user.id : null;
    await tx.with(statements).saveTick({ ...topic, reviewId, isRight, userId, now });
    const found = isRight ? [{ ...topic, review }] : [];
    await tx.with(statements).saveOwnTopicReviews({ topics: [topic], reviews: [review], found });
    return { result: await countTicks(tx, before), detail: { review: reviewId, isRight } };
  },
});

async function countTicks(
  tx: DatabaseTransaction,
  { id, workspaceId }: OwnTopic,
): Promise<{ rightCount: number; wrongCount: number }> {
  const counted = await tx.with(statements).countTicks({ workspaceId });
  const { rightCount = 0, wrongCount = 0 } = counted.find(({ topicId }) => topicId === id) ?? {};
  return { rightCount, wrongCount };
}

const channelsNamedMax = 5;

export const removeTopic = action(topicNoun, {
  verb: "delete",
  summary: "Delete a topic",
  description: "Reviews lose the topic. One that a channel filters by is not deleted.",
  role: "member",
  scope: "manage",
  audit: "topic.removed",
  async run({ tx, workspaceId }, { before }) {
    const all = await tx.listChannels({ workspaceId });
    const channels = all.filter((one) => listFilteredTopics(one).includes(before.name));
    if (channels.length > 0) {
      const shown = channels.slice(0, channelsNamedMax);
      const names = shown.map((channel) => channel.name).join(", ");
      throw new AppError("conflict", `channels filter by this topic: ${names}. Change them first`);
    }
    await tx.with(statements).deleteOwnTopic(before);
    return { result: before, detail: {} };
  },
});
