// Topics that a workspace defines itself: create, change, remove.
import { z } from "zod";
import { listFilteredTopics } from "../domain/channel.ts";
import { AppError } from "../domain/error.ts";
import { type OwnTopic, ownTopicLimits, ownTopicSchema } from "../domain/own-topic.ts";
import { failField } from "../domain/validation-errors.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { action, creation, defineNoun, readSaved } from "./operation.ts";

const topicNoun = defineNoun<OwnTopic>({
  noun: "topic",
  plural: "topics",
  path: "own-topics",
  isNamed: true,
  find: (database, place) => database.findOwnTopic(place),
  list: (database, workspaceId) => database.listOwnTopics({ workspaceId }),
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
  async run({ tx, workspaceId, now }, { input: { name, phrases } }) {
    const { topicsMax } = ownTopicLimits;
    if ((await tx.listOwnTopics({ workspaceId })).length >= topicsMax)
      throw new AppError("conflict", `a workspace has at most ${topicsMax} topics of its own`);
    const id = uuidV7(now);
    if (!(await tx.insertOwnTopic({ id, workspaceId, name, phrases, createdAt: now })))
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
    await tx.setOwnTopicPhrases({ id, workspaceId, phrases, now });
    const result = await readSaved(topicNoun, tx, before);
    return { result, detail: {} };
  },
});

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
    await tx.deleteOwnTopic(before);
    return { result: before, detail: {} };
  },
});
