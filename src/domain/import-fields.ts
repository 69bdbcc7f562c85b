// Single values of import rows as zod schemas. Numbers may be written as text, as in a CSV; everything else
// has to be of the right type and within its limits, and is cleaned. A missing value and null are the same.
import { z } from "zod";
import { isDay } from "../lib/timestamp.ts";
import { cleanText } from "./clean-text.ts";
import { momentInZone } from "./digest-rhythm.ts";
import { readCountry, readLanguage } from "./region-names.ts";

import { plausibleReviewDate, reviewLimits } from "./review.ts";

export type ImportRowOptions = {
  /** Dates may lie two days ahead of it at most. */
  now: Date;
  /** The zone of times without one; UTC by default. */
  timeZone?: string | undefined;
};

/** Text, or a whole number; pandas writes those as floats. */
export function storeReviewId(lengthMax: number) {
  const error = "must be text, or a whole number that is exact";
  return z
    .unknown()
    .transform((value, context) => {
      if ((value ?? "") === "") return fail(context, "must not be empty");
      if (typeof value !== "string" && !Number.isSafeInteger(value)) return fail(context, error);
      return String(value).replace(/^(\d+)\.0$/, "$1");
    })
    .pipe(withinLength(z.string(), lengthMax))
    .refine((id) => id.trim() !== "", { error: "must not be empty" })
    .refine((id) => !/^\d([.,]\d+)?E\+\d+$/i.test(id), {
      error: "was shortened by a spreadsheet; export the file again and import it as it is",
    });
}

export function optionalText(lengthMax: number) {
  return statedText(lengthMax).transform((text) => text ?? "");
}

/** null where the row has no such field. */
export function statedText(lengthMax: number) {
  return withinLength(z.string({ error: "must be text" }), lengthMax)
    .nullish()
    .transform((text) => text ?? null);
}

/** Names and versions: numbers are text. */
export function optionalWords(lengthMax: number) {
  return z.preprocess(
    (value) => (typeof value === "number" ? String(value) : value),
    optionalText(lengthMax),
  );
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

/** Numbers count the time since 1970, in seconds or in thousandth parts of them. */
export function moment({ now, timeZone }: ImportRowOptions, example: string) {
  const { yearMin, daysAheadMax } = reviewLimits;
  const error = `must be a date such as ${example}`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value, context) => {
      const text = String(value).trim();
      return readEpoch(text) ?? parseDate(text, timeZone) ?? fail(context, error);
    })
    .refine((date) => plausibleReviewDate(date, now) !== null, {
      error: `must be from ${yearMin} to ${daysAheadMax} days ahead`,
    });
}

/** Seconds, milliseconds, microseconds or nanoseconds, by their number of digits. */
function readEpoch(text: string): Date | null {
  if (!/^\d{10}(\d{3}){0,3}(\.\d*)?$/.test(text)) return null;
  const digitCount = text.split(".", 1)[0]?.length ?? 0;
  return new Date(Number(text) / 10 ** (digitCount - 13));
}

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue(message);
  return z.NEVER;
}

// ISO 8601, and what databases write: a day, and maybe a time with seconds or without. A day alone is one of UTC.
const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z| ?UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** null for an invalid moment, such as the 30th of February. */
function parseDate(text: string, timeZone: string | undefined): Date | null {
  const [, day = "", time, zoneText] = datePattern.exec(text) ?? [];
  if (!isDay(day)) return null;
  const isLocal = time !== undefined && zoneText === undefined;
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(zoneText ?? "") ?? [];
  const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const date = new Date(`${day}T${time ?? "00:00"}${offset}`);
  if (Number.isNaN(date.getTime())) return null;
  return isLocal && timeZone !== undefined ? momentInZone(date, timeZone) : date;
}
