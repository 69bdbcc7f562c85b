// The notes on a review, for programs.
import { z } from "zod";
import { type ManageRoute, noQuery } from "../../api/manage/manage-route.ts";
import { noteNoun } from "./notes.ts";
import { reviewNoun } from "./operations.ts";
import { requireWorkedReview } from "./read-work.ts";
import { reviewWorkLimits } from "./review-work.ts";
import * as statements from "./sql.ts";

export const noteList: ManageRoute = {
  method: "get",
  status: 200,
  body: null,
  path: "/reviews/{review}/notes",
  resource: reviewNoun,
  query: noQuery,
  answer: z.object({ notes: z.array(noteNoun.viewSchema ?? z.never()) }),
  operationId: "listNotes",
  summary: "List the notes on a review",
  description: "The oldest first.",
  async handle({ deps, workspaceId, id }) {
    const { database } = deps;
    await requireWorkedReview(database, { workspaceId, id });
    const { notesMax: limit } = reviewWorkLimits;
    const notes = await database
      .with(statements)
      .listReviewNotes({ workspaceId, reviewId: id, limit });
    return { body: { notes: notes.map((note) => noteNoun.toView({ ...note, version: 0 })) } };
  },
};
