// Schemas of fields that bodies and search parameters share. Passwords, tokens and store inputs have only a
// type and a generous bound here: what they have to be beyond that is checked by the use case.
import { z } from "zod";
import { sentimentLabels } from "../domain/analysis.ts";
import { daySchema, idSchema, oneOfSchema, parseWholeNumber } from "../domain/fields.ts";
import { tagSchema } from "../domain/review-work.ts";
import { storeIds } from "../domain/store-id.ts";

export const email = boundedText(400);
export const passwordText = boundedText(1_000);
/** Of an authenticator app, or a recovery code with its dashes. */
export const code = boundedText(40);
export const token = boundedText(200);
export const shortText = boundedText(1_000);
export const store = oneOfSchema(storeIds);
export const codes = z
  .array(z.string().max(20, { error: "is no code" }))
  .max(400, { error: "are too many" });

function boundedText(lengthMax: number) {
  return z.string({ error: "is required" }).max(lengthMax, { error: "is too long" });
}

export const day = daySchema;

/** In search parameters. */
export function wholeNumber(bounds: { min: number; max: number }) {
  return z
    .string()
    .refine((text) => parseWholeNumber(text, bounds) !== null, {
      error: `must be a whole number from ${bounds.min} to ${bounds.max}`,
    })
    .transform(Number);
}

const flag = oneOfSchema(["true", "false"]).transform((text) => text === "true");

/** `1,2`: each once, in order. */
const stars = z
  .string()
  .regex(/^[1-5](,[1-5]){0,4}$/, { error: "must be some of 1, 2, 3, 4, 5, separated by commas" })
  .transform((text) => [...new Set(text.split(","))].map(Number).sort());

export const version = plainText({ min: 1, max: 200 });

/** `14d`: today and the 13 days before, in UTC. */
const dayRange = z
  .string()
  .regex(/^[1-9]\d{0,2}d$/, { error: "must be a number of days such as 14d" });

export const feedFilters = {
  app: idSchema.optional(),
  store: store.optional(),
  from: day.optional(),
  to: day.optional(),
  range: dayRange.optional(),
  rating: stars.optional(),
  sentiment: oneOfSchema(sentimentLabels).optional(),
  topic: plainText({ min: 1, max: 64 }).optional(),
  country: plainText({ min: 1, max: 20 }).optional(),
  language: plainText({ min: 1, max: 20 }).optional(),
  version: version.optional(),
  q: plainText({ min: 2, max: 100 }).optional(),
  editedOnly: flag.optional(),
  hasReply: flag.optional(),
  tag: tagSchema.optional(),
  assignee: idSchema.optional(),
};

/** PostgreSQL stores no NUL, so nothing matches one. */
function plainText({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .trim()
    .refine((text) => text.length >= min && text.length <= max && !text.includes("\0"), {
      error: `must have ${min} to ${max} characters`,
    });
}
