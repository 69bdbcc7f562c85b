// Schemas of single fields that several inputs share. Each says in plain words what it expects, for
// people who read the message beside a form field or a command line option.
import { z } from "zod";
import { isDay } from "../lib/timestamp.ts";
import { isUuid } from "../lib/uuid.ts";
import { cleanText } from "./clean-text.ts";
import { hasKnownSecret, quoteText, secretError } from "./known-secret.ts";

export const nameLengthMax = 200;

/** The id of anything but a review; it need not exist. */
export const idSchema = z.string({ error: "must be an id" }).refine(isUuid, {
  error: ({ input }) => `${quoteText(String(input))} is not an id`,
});

const bidiMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** A name for people: cleaned, without surrounding spaces, 1 to `lengthMax` UTF-16 code units. */
export function nameSchema(lengthMax = nameLengthMax) {
  return (
    z
      .string({ error: "is required" })
      // In one line, and without marks that turn the direction of what follows.
      .transform((name) =>
        cleanText(name)
          .replace(/[\r\n\u2028\u2029]+/g, " ")
          .replace(bidiMarks, "")
          .trim(),
      )
      .refine((name) => /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(name), {
        error: "must not be empty",
      })
      .refine((name) => name.length <= lengthMax, {
        error: `must not be longer than ${lengthMax} characters`,
      })
      .refine((name) => !hasKnownSecret(name), { error: secretError })
  );
}

/** A whole number within bounds, both inclusive. */
export function wholeNumberSchema({ min, max }: { min: number; max: number }) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** A UTC day of the years that reviews can have. */
export const daySchema = z
  .string()
  .refine((text) => isDay(text) && text >= "2008" && text < "2101", {
    error: "must be a date of the years 2008 to 2100, written YYYY-MM-DD",
  });

/** A moment of the same years, in UTC. */
export const momentSchema = z.iso
  .datetime({ error: "must be a time in UTC, written like 2026-11-28T14:03:00Z" })
  .refine((text) => text >= "2008" && text < "2101", {
    error: "must be of the years 2008 to 2100",
  });

type ListSchema<Item extends z.ZodType> = z.ZodType<z.output<Item>[], z.input<Item>[]>;

/** A list whose length is checked before its items: refusing a hundred thousand wrong items takes a second. */
export function listSchema<Item extends z.ZodType>(
  item: Item,
  bounds: { max: number; error?: string },
): ListSchema<Item> {
  const { max, error = `must be a list of at most ${max}` } = bounds;
  const list = z.preprocess(
    (value, context) => {
      if (Array.isArray(value) && value.length > max) context.addIssue(error);
      return value;
    },
    z.array(item, { error }).max(max, { error }),
  );
  // A list is required: without this, descriptions call its field optional.
  list._zod.optin = undefined;
  return list as unknown as ListSchema<Item>;
}

export function oneOfSchema<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, { error: `must be one of ${names.join(", ")}` });
}

/** null unless the text is a whole number in plain digits, within bounds that are both inclusive. */
export function parseWholeNumber(
  text: string,
  { min, max }: { min: number; max: number },
): number | null {
  // Number("") is 0 and Number("0x10") is 16: neither is what a user means.
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

/** The parts between commas, without surrounding spaces and without empty ones. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Each item once, in the order of its first occurrence. */
export function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
