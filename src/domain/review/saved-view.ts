// Views of reviews that a workspace keeps.
import { z } from "zod";
import { idSchema, nameSchema } from "../fields.ts";

export const viewLimits = {
  /** In one workspace. */
  viewsMax: 50,
  nameMax: 60,
  queryMax: 2_000,
} as const;

export const savedViewSchema = z.strictObject({
  name: nameSchema(viewLimits.nameMax).describe("Its name; a view of the same name is replaced."),
  query: z
    .string({ error: "is required" })
    .max(viewLimits.queryMax, { error: "is too long" })
    .describe("Search parameters of the Reviews page, such as `rating=1,2&sentiment=negative`."),
});

/** Pages are linked to by the id: one that was deleted can be had back with it. */
export const newViewSchema = savedViewSchema
  .extend({ id: idSchema.optional().describe("The id of a view that was deleted.") })
  .meta({ id: "ViewInput" });

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
