// Single values of import rows as zod schemas. Numbers may be written as text, as in a CSV; everything else
// has to be of the right type and within its limits, and is cleaned. A missing value and null are the same.

import { z } from "zod";
import { momentInZone } from "../../../domain/channel/digest-rhythm.ts";
import { cleanText } from "../../../domain/clean-text.ts";
import { plausibleReviewDate, reviewLimits } from "../../../domain/review/review.ts";
import { regionOfTerritory } from "../../../domain/store/territories.ts";
import { lazy } from "../../../lib/lazy.ts";
import { isDay } from "../../../lib/timestamp.ts";

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
  const text = typeof value === "string" ? value.trim() : "";
  // A spreadsheet of many countries writes 4,0; with three digits it may be a thousand.
  const isDecimal = /^-?\d+(\.\d+|,\d\d?)?$/.test(text);
  return isDecimal ? Number(text.replace(",", ".")) : Number.NaN;
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
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/** Whether a written date has its zone, a time without a zone, or is a day; null for numbers and other text. */
export function writtenTime(date: unknown): "zoned" | "local" | "day" | null {
  const found = typeof date === "string" ? datePattern.exec(date.trim()) : null;
  if (!found) return null;
  const [, , time, zone] = found;
  return time === undefined ? "day" : zone === undefined ? "local" : "zoned";
}

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

/** Parses a code of two letters, a code of three or an English name, also the region of a locale; null for any other text. */
export function readCountry(text: string): string | null {
  const code = text.replace(/^[a-z]{2,3}[-_](?=[a-z]{2}$)/i, "").toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return regionOfTerritory(code);
  // The locale turns UK into GB.
  const region = /^[A-Z]{2}$/.test(code) ? (canonicalLocale(`und-${code}`) ?? "").slice(4) : "";
  if (region !== "") return regionCodes().has(region.toLowerCase()) ? region.toLowerCase() : null;
  const name = text.toLowerCase();
  return otherNames[name] ?? codesByName.region().get(name) ?? null;
}

/** Names that stores and lists of countries use, and the standard does not. */
const otherNames: Readonly<Record<string, string>> = {
  "united states of america": "us",
  "great britain": "gb",
  "korea, republic of": "kr",
  "republic of korea": "kr",
  "russian federation": "ru",
  "viet nam": "vn",
  "china mainland": "cn",
  "hong kong": "hk",
  macau: "mo",
  macao: "mo",
  turkey: "tr",
  turkiye: "tr",
  "czech republic": "cz",
  macedonia: "mk",
  "ivory coast": "ci",
  "cote d'ivoire": "ci",
  "congo, democratic republic of the": "cd",
  "congo, republic of the": "cg",
};

/** Without codes of groups of countries and of none. */
const regionCodes = lazy(() => {
  const codes = new Set(codesByName.region().values());
  for (const code of ["eu", "ez", "qo", "un", "xa", "xb", "zz"]) codes.delete(code);
  return codes;
});

/** Parses a code such as `pt-BR` or `eng`, or an English name; null for any other text. */
export function readLanguage(text: string): string | null {
  const code = text.replaceAll("_", "-");
  const isCode = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code);
  const known = isCode ? canonicalLocale(code) : codesByName.language().get(text.toLowerCase());
  return known?.toLowerCase() ?? null;
}

function canonicalLocale(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    // It only throws for a code that is not a locale.
    return null;
  }
}

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const codesOfTwo = letters.flatMap((first) => letters.map((second) => first + second));
const codesByName = {
  region: lazy(() => mapNames("region", (code) => `und-${code.toUpperCase()}`)),
  language: lazy(() => mapNames("language", (code) => code)),
};

/** Without withdrawn codes, which have the name of their successor. */
function mapNames(type: "region" | "language", toLocale: (code: string) => string) {
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  const codes = codesOfTwo.filter((code) => canonicalLocale(toLocale(code)) === toLocale(code));
  const nameOf = (code: string) => names.of(type === "region" ? code.toUpperCase() : code);
  return new Map(codes.map((code) => [nameOf(code)?.toLowerCase(), code]));
}
