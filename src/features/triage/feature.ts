// Triage: the work of a workspace on reviews, with tags, assignees and notes.
import { z } from "zod";
import { idSchema } from "../../domain/fields.ts";
import { tagSchema } from "../../domain/review/review-work.ts";
import { readBatches } from "../../lib/read-batches.ts";
import { portableKind } from "../../use-cases/portable-kinds.ts";
import type { Feature } from "../feature.ts";
import { addNote, removeNote } from "./notes.ts";
import { changeReview, changeReviews } from "./operations.ts";
import { noteSchema, reviewWorkLimits } from "./review-work.ts";
import * as statements from "./sql.ts";

const { notesMax: countMax, tagsMax } = reviewWorkLimits;
const time = z.iso.datetime().transform((text) => new Date(text));
const limit = 1_000;

export const triage: Feature = {
  name: "triage",
  nouns: [
    { noun: changeReview.noun, operations: [changeReview, changeReviews] },
    { noun: addNote.noun, operations: [addNote, removeNote] },
  ],
  portableKinds: [
    portableKind({
      kind: "reviewWork",
      list(database, scope) {
        const { listWorkOfWorkspace } = database.with(statements);
        type Work = Awaited<ReturnType<typeof listWorkOfWorkspace>>[number];
        return readBatches(limit, (last: Work | null) =>
          listWorkOfWorkspace({ ...scope, limit, afterId: last?.reviewId ?? null }),
        );
      },
      schema: z.object({
        reviewId: idSchema,
        tags: z.array(tagSchema).max(tagsMax),
        isDone: z.boolean(),
      }),
      save: (tx, work, { now }) =>
        tx.with(statements).saveReviewWork({ ...work, assigneeId: null, now }),
    }),
    portableKind({
      kind: "note",
      list(database, scope) {
        const { listNotesOfWorkspace } = database.with(statements);
        type Note = Awaited<ReturnType<typeof listNotesOfWorkspace>>[number];
        return readBatches(limit, (last: Note | null) =>
          listNotesOfWorkspace({ ...scope, limit, afterId: last?.id ?? null }),
        );
      },
      schema: z.object({
        id: idSchema,
        reviewId: idSchema,
        text: noteSchema.shape.text,
        createdAt: time,
      }),
      save: (tx, note) =>
        tx
          .with(statements)
          .insertReviewNote({ ...note, authorId: null, authorName: null, countMax }),
    }),
  ],
  ending: {
    withMember: (tx, member) => tx.with(statements).unassignMember(member),
    withReview: (tx, reviewId) => tx.with(statements).deleteWorkOfReview(reviewId),
  },
  loadRoutes: async () => (await import("./routes.ts")).workRoutes,
  loadManageRoutes: async () => [(await import("./note-list.ts")).noteList],
};
