// Replies: people answer reviews through the stores' official APIs. Nothing is answered without a person.
import { z } from "zod";
import { idSchema } from "../../domain/fields.ts";
import { portableKind } from "../../use-cases/portable-kinds.ts";
import type { Feature } from "../feature.ts";
import { draftReply, replyNoun, sendReply, withdrawReply } from "./operations.ts";
import { templateSchema, templatesMax } from "./reply.ts";
import * as statements from "./sql.ts";
import { changeTemplate, createTemplate, removeTemplate, templateNoun } from "./templates.ts";

const template = templateSchema.extend({ id: idSchema }).strip();

export const replies: Feature = {
  name: "replies",
  nouns: [
    { noun: replyNoun, operations: [draftReply, sendReply, withdrawReply] },
    { noun: templateNoun, operations: [createTemplate, changeTemplate, removeTemplate] },
  ],
  portableKinds: [
    portableKind({
      kind: "reply_template",
      async *list(database, scope) {
        yield await database.with(statements).listTemplates(scope);
      },
      schema: template,
      async save(tx, line) {
        const templates = tx.with(statements);
        const known = await templates.listTemplates(line);
        return known.length < templatesMax && templates.saveTemplate({ ...line, now: new Date(0) });
      },
    }),
    portableKind({
      kind: "reply",
      async *list(database, scope) {
        const replies = await database.with(statements).listRepliesOfWorkspace(scope);
        yield replies.map(
          ({ leaseUntil: _, failureCount: __, attemptedAt: ___, ...reply }) => reply,
        );
      },
      // Another installation has no account of the store, and finds what is public by reading it.
      schema: z.object({}),
      save: async () => false,
    }),
  ],
  // An answer may quote the review.
  ending: { withReview: (tx, id) => tx.with(statements).deleteRepliesOfReview(id) },
  readReplyOutcomes: async (...query) =>
    (await import("./read-outcomes.ts")).readOutcomes(...query),
  loadEndpoints: async () => [(await import("./endpoint.ts")).outcomesEndpoint],
  loadRoutes: async () => (await import("./routes.ts")).replyRoutes,
  workers: [{ role: "collect", load: async () => (await import("./worker.ts")).openReplyWorker }],
};
