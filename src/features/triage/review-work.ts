// A workspace's triage of reviews (tags, an assignee, notes) and its saved views.
import { z } from "zod";
import { cleanText } from "../../domain/clean-text.ts";
import { idSchema, listSchema, nameSchema, unique } from "../../domain/fields.ts";
import { hasKnownSecret, secretError } from "../../domain/known-secret.ts";

export const reviewWorkLimits = {
  tagMax: 40,
  tagsMax: 20,
  noteMax: 4_000,
  notesMax: 200,
  /** Changed at once. */
  reviewsMax: 100,
  viewsMax: 50,
  viewNameMax: 60,
  viewQueryMax: 2_000,
} as const;

const { tagMax, tagsMax, noteMax, reviewsMax, viewNameMax, viewQueryMax } = reviewWorkLimits;
/** An e-mail address. */
const assigneeMax = 254;

export const tagSchema = z
  .string({ error: "is required" })
  .transform((text) => cleanText(text).trim().toLowerCase())
  .refine((tag) => tag.length >= 1 && tag.length <= tagMax, {
    error: `must have 1 to ${tagMax} characters`,
  })
  .refine((tag) => !hasKnownSecret(tag), { error: secretError });

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

export const savedViewSchema = z.strictObject({
  name: nameSchema(viewNameMax).describe("Its name; a view of the same name is replaced."),
  query: z
    .string({ error: "is required" })
    .max(viewQueryMax, { error: "is too long" })
    .describe("Search parameters of the Reviews page, such as `rating=1,2&sentiment=negative`."),
});

/** Pages are linked to by the id: one that was deleted can be had back with it. */
export const newViewSchema = savedViewSchema
  .extend({ id: idSchema.optional().describe("The id of a view that was deleted.") })
  .meta({ id: "ViewInput" });

export type ReviewWorkChange = z.output<typeof reviewWorkChangeSchema>;

export type ReviewWork = {
  tags: string[];
  assignee: { userId: string; name: string } | null;
  /** It needs no more work. */
  isDone: boolean;
};

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

export type SavedView = {
  id: string;
  workspaceId: string;
  name: string;
  query: string;
  /** Rises with every change by people. */
  version: number;
  /** Whether people or feed readers without an account can read it by a link. */
  hasLinks: boolean;
};
