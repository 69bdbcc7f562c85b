// The work of a workspace on a review, as filters and cards show it.
import { z } from "zod";
import { cleanText } from "../clean-text.ts";
import { hasKnownSecret, secretError } from "../known-secret.ts";

const tagMax = 40;

export const tagSchema = z
  .string({ error: "is required" })
  .transform((text) => cleanText(text).trim().toLowerCase())
  .refine((tag) => tag.length >= 1 && tag.length <= tagMax, {
    error: `must have 1 to ${tagMax} characters`,
  })
  .refine((tag) => !hasKnownSecret(tag), { error: secretError });

export type ReviewWork = {
  tags: string[];
  assignee: { userId: string; name: string } | null;
  /** It needs no more work. */
  isDone: boolean;
};
