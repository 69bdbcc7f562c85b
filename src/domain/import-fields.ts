// Single values of import rows as zod schemas. Numbers may be written as text, as in a CSV; everything else
// has to be of the right type and within its limits, and is cleaned. A missing value and null are the same.
import { z } from "zod";
import { isDay } from "../lib/timestamp.ts";
import { cleanText } from "./clean-text.ts";
import { momentInZone } from "./digest-rhythm.ts";
import { readCountry, readLanguage } from "./import-names.ts";
import { plausibleReviewDate, reviewLimits } from "./review.ts";

export type ImportRowOptions = {
  /** Dates may lie two days ahead of it at most. */
  now: Date;
  /** The zone of times without one; UTC by default. */
  timeZone?: string | undefined;
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

/** A country, lower case. */
export function optionalCountry() {
  return optionalCode(readCountry, "must be a country such as us, USA or United States");
}

/** A language, lower case. */
export function optionalLanguage() {
  return optionalCode(readLanguage, "must be a language such as pt-BR, por or Portuguese");
}

function optionalCode(read: (text: string) => string | null, error: string) {
  return optionalText(100).transform((text, context) => {
    if (text.trim() === "") return null;
    return read(text.trim()) ?? fail(context, error);
  });
}

/** The condition on a number, in words and as a check. */
export type NumberRule = { expected: string; isValid: (value: number) => boolean };

export function stars() {
  return number({
    expected: "a whole number from 1 to 5",
    isValid: (value) => Number.isInteger(value) && value >= 1 && value <= 5,
  });
}

/** A number, also one that is written as text. */
export function number({ expected, isValid }: NumberRule) {
  return z
    .unknown()
    .transform(toNumber)
    .refine(isValid, { error: `must be ${expected}` });
}

function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  const isDecimal = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim());
  return isDecimal ? Number(value) : Number.NaN;
}

export function moment({ now, timeZone }: ImportRowOptions, example: string) {
  const { yearMin, daysAheadMax } = reviewLimits;
  const error = `must be a date such as ${example}`;
  return z
    .string({ error })
    .transform((text, context) => parseDate(text.trim(), timeZone) ?? fail(context, error))
    .refine((date) => plausibleReviewDate(date, now) !== null, {
      error: `must be from ${yearMin} to ${daysAheadMax} days ahead`,
    });
}

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue(message);
  return z.NEVER;
}

// ISO 8601: a day, and maybe a time with seconds or without. A day alone is one of UTC.
const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** null for an invalid moment, such as the 30th of February. */
function parseDate(text: string, timeZone: string | undefined): Date | null {
  const [, day = "", time, zoneText] = datePattern.exec(text) ?? [];
  if (!isDay(day)) return null;
  const isLocal = time !== undefined && zoneText === undefined;
  const zone = zoneText ?? "Z";
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const date = new Date(`${day}T${time ?? "00:00"}${offset}`);
  if (Number.isNaN(date.getTime())) return null;
  return isLocal && timeZone !== undefined ? momentInZone(date, timeZone) : date;
}
