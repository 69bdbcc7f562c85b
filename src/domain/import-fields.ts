// Single values of import rows as zod schemas. A CSV has text where JSON has numbers; everything else has to
// be of the right type and within its limits, and is cleaned. A missing value and null are the same.
import { z } from "zod";
import { isDay } from "../lib/timestamp.ts";
import { cleanText } from "./clean-text.ts";
import { plausibleReviewDate, reviewLimits } from "./review.ts";

export type ImportRowOptions = {
  /** Whether numbers are written as text, as in a CSV. */
  isText: boolean;
  /** Dates may lie two days ahead of it at most. */
  now: Date;
};

export function requiredText(lengthMax: number) {
  const error = ({ input }: { input?: unknown }) =>
    (input ?? "") === "" ? "must not be empty" : "must be text";
  return withinLength(z.string({ error }), lengthMax).refine((text) => text.trim() !== "", {
    error: "must not be empty",
  });
}

export function optionalText(lengthMax: number) {
  return withinLength(z.string({ error: "must be text" }), lengthMax)
    .nullish()
    .transform((text) => text ?? "");
}

function withinLength(text: z.ZodString, lengthMax: number) {
  return text.transform(cleanText).refine(({ length }) => length <= lengthMax, {
    error: `must not be longer than ${lengthMax} characters`,
  });
}

const codePattern = /^([a-z]{2,3}(-[a-z0-9]{2,8})*)?$/;

/** A country or language, lower case. */
export function optionalCode() {
  return optionalText(35)
    .transform((text) => text.trim().toLowerCase().replaceAll("_", "-"))
    .refine((code) => codePattern.test(code), { error: "must be a code such as us or pt-br" })
    .transform((code) => code || null);
}

/** What a number has to be, in words and as a check. */
export type NumberRule = { expected: string; isValid: (value: number) => boolean };

export function stars(options: ImportRowOptions) {
  return number(options, {
    expected: "a whole number from 1 to 5",
    isValid: (value) => Number.isInteger(value) && value >= 1 && value <= 5,
  });
}

export function number(
  { isText }: Pick<ImportRowOptions, "isText">,
  { expected, isValid }: NumberRule,
) {
  return z
    .unknown()
    .transform((value) => toNumber(value, isText))
    .refine(isValid, { error: `must be ${expected}` });
}

function toNumber(value: unknown, isText: boolean): number {
  if (!isText) return typeof value === "number" ? value : Number.NaN;
  const isDecimal = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim());
  return isDecimal ? Number(value) : Number.NaN;
}

export function moment(now: Date, example: string) {
  const { yearMin, daysAheadMax } = reviewLimits;
  const error = `must be a date such as ${example}`;
  return z
    .string({ error })
    .transform((text, context) => parseDate(text.trim()) ?? fail(context, error))
    .refine((date) => plausibleReviewDate(date, now) !== null, {
      error: `must be from ${yearMin} to ${daysAheadMax} days ahead`,
    });
}

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue(message);
  return z.NEVER;
}

// ISO 8601: a day, and maybe a time with seconds or without; without a zone it is UTC.
const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** null for what is no moment, such as the 30th of February. */
function parseDate(text: string): Date | null {
  const [, day = "", time = "00:00", zone = "Z"] = datePattern.exec(text) ?? [];
  if (!isDay(day)) return null;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const date = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(date.getTime()) ? null : date;
}
