// A workspace's answer to a review: its states, what people enter, and what they see of it.
import { z } from "zod";
import { cleanText } from "../../domain/clean-text.ts";
import { idSchema, nameSchema } from "../../domain/fields.ts";
import { replyStates, type StoredReplyState } from "../../domain/review/reply-state.ts";

/** More than any store takes: the store's own limit is checked against the app. */
const textMax = 6_000;

/** As it is stored; `state` is what is known of the text that was sent last. */
export type StoredReply = {
  workspaceId: string;
  reviewId: string;
  appId: string;
  state: StoredReplyState;
  reason: string | null;
  draft: string | null;
  text: string | null;
  replaces: string | null;
  isWithdrawal: boolean;
  author: string | null;
  sentAt: Date | null;
  publishedText: string | null;
  publishedAt: Date | null;
  storeText: string | null;
  storeAt: Date | null;
  checkedAt: Date | null;
  answeredRating: number | null;
  answeredEdit: Date | null;
  failureCount: number;
  attemptedAt: Date | null;
  leaseUntil: Date | null;
  version: number;
};

export type ReplyTemplate = {
  id: string;
  workspaceId: string;
  name: string;
  text: string;
  isTone: boolean;
  version: number;
};

export const templatesMax = 50;

const textSchema = z
  .string({ error: "is required" })
  .max(4 * textMax, { error: "is too long" })
  .transform((text) => cleanText(text).trim());

const replacesSchema = z
  .string()
  .max(100_000)
  .nullable()
  .optional()
  .describe(
    "The public answer of the review, as you read it. Without it, nothing is sent to a review that has one.",
  );

export const draftSchema = z
  .strictObject({ draft: textSchema.describe('The text; "" discards what was kept.') })
  .meta({ id: "ReplyDraft" });

export const sendingSchema = z
  .strictObject({
    text: textSchema.describe("The answer, which the store shows to everyone, in plain text."),
    replaces: replacesSchema,
    reviewDate: z.iso
      .datetime()
      .optional()
      .describe(
        "The date of the review as you read it: one that was changed since is not answered.",
      ),
  })
  .meta({ id: "ReplyInput" });

export const compositionSchema = z.strictObject({ tone: idSchema.nullable() });

export const withdrawalSchema = z
  .strictObject({
    replaces: replacesSchema.describe("The public answer that is withdrawn, as you read it."),
    takeBack: z
      .boolean()
      .default(false)
      .describe(
        "Instead, take back what waits to be passed to the store; refused when nothing waits.",
      ),
  })
  .meta({ id: "ReplyWithdrawal" });

const text = z.string().nullable();
const time = z.iso.datetime().nullable();

/** The answer as people and programs see it. */
export const replyViewSchema = z
  .object({
    id: z.string().describe("Identifier of the review."),
    app: z.string().describe("Identifier of the app."),
    state: z.enum(replyStates).describe("How far the answer is."),
    reason: text.describe("Why it is in that state, in words; null where the state says it."),
    draft: text.describe("A text that was not sent."),
    text: text.describe("The text that was sent last."),
    author: text.describe("Who sent it."),
    sentAt: time.describe("When it was sent."),
    publishedAt: time.describe("When the store took the first answer of Starpost."),
    publicText: text.describe(
      "The answer that the store has, also one that was written elsewhere.",
    ),
    publicAt: time.describe("The store's date of it."),
    fault: text.describe("Why the review can't be answered, in words; null when it can."),
    charactersMax: z.int().nullable().describe("How many characters the store takes."),
    canWithdraw: z.boolean().describe("Whether the store can withdraw an answer."),
  })
  .meta({ id: "ReviewReply" });

const isTone = z
  .boolean({ error: "must be true or false" })
  .describe("It tells a language model how answers sound, and is not a text to send.");

export const templateSchema = z
  .strictObject({
    name: nameSchema(60).describe("Its name; the names of a workspace's templates differ."),
    text: textSchema
      .refine((entered) => entered !== "" && entered.length <= textMax, {
        error: `must have 1 to ${textMax} characters`,
      })
      .describe("The text, with the fields {author}, {app} and {version}."),
    isTone: isTone.default(false).describe(isTone.description ?? ""),
  })
  .meta({ id: "ReplyTemplateInput" });

export const templateChangeSchema = templateSchema
  .partial()
  // A field that is left out stays: the default is for new ones.
  .extend({ isTone: isTone.optional() })
  .meta({ id: "ReplyTemplateChange" });
