// A workspace's triage of reviews (tags, an assignee, notes) and its saved views.
import { z } from "zod";
import { cleanText } from "./clean-text.ts";
import { idSchema, listSchema, nameSchema, unique } from "./fields.ts";

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

const { tagMax, tagsMax, noteMax, viewNameMax, viewQueryMax } = reviewWorkLimits;

export const tagSchema = z
  .string({ error: "is required" })
  .transform((text) => cleanText(text).trim().toLowerCase())
  .refine((tag) => tag.length >= 1 && tag.length <= tagMax, {
    error: `must have 1 to ${tagMax} characters`,
  });

const tagsError = `must not be more than ${tagsMax}`;
const tagsSchema = listSchema(tagSchema, { max: tagsMax, error: tagsError }).transform(unique);

/** Absent fields stay as they are. */
export const reviewWorkChangeSchema = z.strictObject({
  /** Replaces all tags. Two people who work on one review at once send the next two instead. */
  tags: tagsSchema.optional(),
  addedTags: tagsSchema.optional(),
  removedTags: tagsSchema.optional(),
  /** A member of the workspace; null takes the review from its assignee. */
  assigneeId: idSchema.nullable().optional(),
  isDone: z.boolean({ error: "must be true or false" }).optional(),
});

/** The same change of several reviews. */
export const manyReviewWorkChangeSchema = reviewWorkChangeSchema.omit({ tags: true }).extend({
  reviews: listSchema(z.strictObject({ app: idSchema, review: idSchema }), {
    max: reviewWorkLimits.reviewsMax,
    error: `are too many: at most ${reviewWorkLimits.reviewsMax}`,
  }).refine(({ length }) => length > 0, { error: "must name a review" }),
});

export const noteSchema = z.strictObject({
  text: z
    .string({ error: "is required" })
    .transform((text) => cleanText(text).trim())
    .refine((text) => text.length >= 1 && text.length <= noteMax, {
      error: `must have 1 to ${noteMax} characters`,
    }),
});

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
  /** Nobody has to look after it any more. */
  isDone: boolean;
};

export type ReviewNote = {
  id: string;
  /** null: the account is gone. */
  authorId: string | null;
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
