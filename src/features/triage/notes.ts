// Notes on reviews, which the members of a workspace read.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import {
  action,
  creation,
  defineNoun,
  nameOfActor,
  type Resource,
  readSaved,
} from "../../operations/operation.ts";
import { nameOfReview } from "../../use-cases/reviews/seen-reviews.ts";
import { saveWork } from "./operations.ts";
import { findWorkedReviews, requireWorkedReview } from "./read-work.ts";
import { noteSchema, type ReviewNote, reviewWorkLimits } from "./review-work.ts";
import * as statements from "./sql.ts";

const { review } = noteSchema.shape;

export const noteNoun = defineNoun<ReviewNote & Resource>({
  noun: "note",
  plural: "notes",
  path: "notes",
  async find(database, ref) {
    const note = await database.with(statements).findReviewNote(ref);
    // It is written and removed, and never changed.
    return note && { ...note, version: 0 };
  },
  toView: ({ id, reviewId, author, text, createdAt }) => {
    return { id, review: reviewId, author, text, createdAt: formatTimestamp(createdAt) };
  },
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the note."),
      review,
      author: z.string().nullable().describe("Name of the author; null when the account is gone."),
      text: z.string().describe("The text."),
      createdAt: z.iso.datetime().describe("When it was written."),
    })
    .meta({ id: "ReviewNote" }),
});

export const addNote = creation(noteNoun, {
  verb: "create",
  summary: "Write a note on a review",
  description: "The members of the workspace read it. The store does not.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 60, by: "workspace" }],
  audit: "review.note_added",
  schema: noteSchema,
  async run({ tx, workspaceId, actor, now }, { input }) {
    const { review: reviewId, text } = input;
    const review = await requireWorkedReview(tx, { workspaceId, id: reviewId });
    const { notesMax: countMax } = reviewWorkLimits;
    const isUser = actor.kind === "user";
    const id = uuidV7(now);
    const isAdded = await tx.with(statements).insertReviewNote({
      id,
      workspaceId,
      reviewId,
      text,
      authorId: isUser ? actor.user.id : null,
      authorName: isUser ? null : nameOfActor(actor),
      createdAt: now,
      countMax,
    });
    if (!isAdded) throw new AppError("conflict", `a review can have ${countMax} notes`);
    await saveWork(tx, review, now);
    const result = await readSaved(noteNoun, tx, { id, workspaceId });
    return { result, id: reviewId, detail: nameOfReview(review) };
  },
});

/** Members remove their own; owners, and programs with the rights of owners, remove any. */
export const removeNote = action(noteNoun, {
  verb: "delete",
  summary: "Delete a note",
  description: "A key deletes any note, as owners do.",
  role: "member",
  scope: "manage",
  audit: "review.note_removed",
  async run({ tx, workspaceId, actor, now }, { before }) {
    const { id, reviewId, authorId } = before;
    if (actor.kind === "user" && actor.role !== "owner" && authorId !== actor.user.id)
      throw new AppError("forbidden", "only its author or an owner deletes a note");
    await tx.with(statements).deleteReviewNote({ workspaceId, id });
    const [review] = await findWorkedReviews(tx, { workspaceId, ids: [reviewId] });
    if (review) await saveWork(tx, review, now);
    return { result: before, id: reviewId, detail: review ? nameOfReview(review) : {} };
  },
});
