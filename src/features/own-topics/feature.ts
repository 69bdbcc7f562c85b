// Own topics: a workspace names what it looks for by phrases, and teaches them by ticks. Reviews have them like other topics.
import { z } from "zod";
import { idSchema } from "../../domain/fields.ts";
import { portableKind } from "../../use-cases/portable-kinds.ts";
import type { Feature } from "../feature.ts";
import { changeTopic, createTopic, removeTopic, tickTopic, topicNoun } from "./operations.ts";
import { ownTopicLimits, ownTopicSchema } from "./own-topic.ts";
import * as statements from "./sql.ts";

const time = z.iso.datetime().transform((text) => new Date(text));
const line = ownTopicSchema.extend({ id: idSchema, createdAt: time }).strip();

export const ownTopics: Feature = {
  name: "own-topics",
  nouns: [
    {
      noun: topicNoun,
      operations: [createTopic, changeTopic, tickTopic, removeTopic],
      setup: {
        field: "topics",
        description: "Topics of the workspace's own.",
        entry: ownTopicSchema,
        create: createTopic,
        change: changeTopic,
        remove: removeTopic,
      },
    },
  ],
  portableKinds: [
    portableKind({
      kind: "topic",
      async *list(database, scope) {
        yield await database.with(statements).listOwnTopics(scope);
      },
      schema: line,
      async save(tx, topic) {
        const topics = tx.with(statements);
        const known = await topics.listOwnTopics(topic);
        return known.length < ownTopicLimits.topicsMax && topics.insertOwnTopic(topic);
      },
    }),
  ],
  label: async (tx, input) => (await import("./find-topics.ts")).findOwnTopics(tx, input),
  loadRoutes: async () => (await import("./routes.ts")).topicRoutes,
  workers: [
    { role: "collect", load: async () => (await import("./worker.ts")).openOwnTopicWorker },
  ],
};
