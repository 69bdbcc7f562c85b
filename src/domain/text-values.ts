// Values as search parameters and options have them: each schema takes a text. Its metadata is the JSON Schema of the value.
import { z } from "zod";
import { listSchema, parseWholeNumber } from "./fields.ts";

/** A text whose user checks the rest. */
export function boundedText(lengthMax: number) {
  return z.string({ error: "is required" }).max(lengthMax, { error: "is too long" });
}

/** Some clients write `True`. */
export const flagText = z
  .string()
  .toLowerCase()
  .refine((text) => ["true", "false"].includes(text), { error: "must be true or false" })
  .transform((text) => text === "true")
  .meta({ type: "boolean" });

export function wholeNumberText({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .refine((text) => parseWholeNumber(text, { min, max }) !== null, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .meta({ type: "integer", minimum: min, maximum: max });
}

/** Lengths are in characters, as people count them. PostgreSQL takes no NUL. */
export function plainText({ min = 0, max }: { min?: number; max: number }) {
  const range = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return z
    .string()
    .refine(
      (text) => {
        const { length } = [...text];
        return length >= min && length <= max && !text.includes("\0");
      },
      { error: `must have ${range} characters, and no control characters` },
    )
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) });
}

/** Each value of a list is an index range of its own. */
const listMax = 10;

/** Values separated by commas, each once and in one order: the same list is the same question. */
export function listText<Item extends string | number>(
  item: z.ZodType<Item, string>,
  countMax = listMax,
) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: "input" });
  return z
    .string({ error: "is required" })
    .transform((text) => [...new Set(text.split(","))])
    .pipe(listSchema(item, { max: countMax, error: `must have at most ${countMax} values` }))
    .transform((values) => [...values].sort())
    .meta({ type: "array", items, maxItems: countMax });
}
