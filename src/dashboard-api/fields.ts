// Fields that bodies and search parameters have in common. They check types and generous bounds; what a
// value has to be beyond that is said by the use case, in its words.
import { z } from "zod";
import { sentimentLabels } from "../domain/analysis.ts";
import { storeIds } from "../domain/store-id.ts";

export const email = z.string({ error: "is required" }).max(400, { error: "is too long" });
export const passwordText = z.string({ error: "is required" }).max(1_000, { error: "is too long" });
export const token = z.string({ error: "is required" }).max(200, { error: "is too long" });
export const shortText = z.string({ error: "is required" }).max(1_000, { error: "is too long" });
export const id = z.uuid({ error: "must be an id" });
export const store = z.enum(storeIds, { error: `must be one of ${storeIds.join(", ")}` });
export const codes = z
  .array(z.string().max(20, { error: "is no code" }))
  .max(400, { error: "are too many" });

export const day = z.string().refine(isDay, {
  error: "must be a date of the years 2008 to 2100, written YYYY-MM-DD",
});

function isDay(text: string): boolean {
  if (!/^(20(0[89]|[1-9]\d)|2100)-\d{2}-\d{2}$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  // Date rolls 30 February over into March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** In search parameters. */
export function wholeNumber(bounds: { min: number; max: number }) {
  const { min, max } = bounds;
  return z
    .string()
    .refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);
}

const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true");

export const feedFilters = {
  app: id.optional(),
  store: store.optional(),
  from: day.optional(),
  to: day.optional(),
  rating: wholeNumber({ min: 1, max: 5 }).optional(),
  sentiment: z
    .enum(sentimentLabels, { error: `must be one of ${sentimentLabels.join(", ")}` })
    .optional(),
  topic: plainText({ min: 1, max: 64 }).optional(),
  version: plainText({ min: 1, max: 200 }).optional(),
  q: plainText({ min: 2, max: 100 }).optional(),
  editedOnly: flag.optional(),
};

/** PostgreSQL holds no NUL, so nothing is found by one. */
function plainText({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .trim()
    .refine((text) => text.length >= min && text.length <= max && !text.includes("\0"), {
      error: `must have ${min} to ${max} characters`,
    });
}
