// The work on reviews as people enter it: tags, an assignee, notes.
import { z } from "zod";
import { cleanText } from "../../domain/clean-text.ts";
import { idSchema, listSchema, unique } from "../../domain/fields.ts";
import { tagSchema } from "../../domain/review/review-work.ts";

export const reviewWorkLimits = {
  tagsMax: 20,
  noteMax: 4_000,
  notesMax: 200,
  /** Changed at once. */
  reviewsMax: 100,
} as const;

const { tagsMax, noteMax, reviewsMax } = reviewWorkLimits;
/** An e-mail address. */
const assigneeMax = 254;

const tagsError = `must not be more than ${tagsMax}`;
const tagsSchema = listSchema(tagSchema, { max: tagsMax, error: tagsError }).transform(unique);

const tagsDescription =
  "Replaces all tags. Two who work on one review at once send the next two fields instead.";

/** Absent fields stay as they are. */
export const reviewWorkChangeSchema = z
  .strictObject({
    tags: tagsSchema.optional().describe(tagsDescription),
    addedTags: tagsSchema.optional().describe("Tags that the review gets."),
    removedTags: tagsSchema.optional().describe("Tags that it loses."),
    assignee: z
      .string({ error: "must be the e-mail address or the id of a member" })
      .max(assigneeMax, { error: "is too long" })
      .nullable()
      .optional()
      .describe(
        "The e-mail address or the id of a member; null takes the review from its assignee.",
      ),
    isDone: z
      .boolean({ error: "must be true or false" })
      .optional()
      .describe("true: it needs no more work."),
  })
  .meta({ id: "ReviewWorkChange" });

/** The same change of several reviews. */
export const manyReviewWorkChangeSchema = reviewWorkChangeSchema
  .omit({ tags: true })
  .extend({
    reviews: listSchema(idSchema, {
      max: reviewsMax,
      error: `are too many: at most ${reviewsMax}`,
    })
      .transform((ids) => unique(ids.map((id) => id.toLowerCase())))
      .refine(({ length }) => length > 0, { error: "must name a review" })
      .describe("Ids of reviews."),
  })
  .meta({ id: "ManyReviewsWorkChange" });

export const noteSchema = z
  .strictObject({
    review: idSchema.transform((id) => id.toLowerCase()).describe("The id of the review."),
    text: z
      .string({ error: "is required" })
      .transform((text) => cleanText(text).trim())
      .refine((text) => text.length >= 1 && text.length <= noteMax, {
        error: `must have 1 to ${noteMax} characters`,
      })
      .describe("What the workspace has to know of the review."),
  })
  .meta({ id: "NoteInput" });

export type ReviewWorkChange = z.output<typeof reviewWorkChangeSchema>;

export type ReviewNote = {
  id: string;
  workspaceId: string;
  reviewId: string;
  /** null: the account is gone, or a program or the operator wrote it. */
  authorId: string | null;
  /** null: the account is gone. */
  author: string | null;
  text: string;
  createdAt: Date;
};
