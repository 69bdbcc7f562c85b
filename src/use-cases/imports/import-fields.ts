// Reads single values of import rows. A CSV has text where JSONL has numbers; everything else has to be
// of the right type, within its limits, and is cleaned.

import { cleanText } from "../../domain/clean-text.ts";
import { reviewLimits } from "../../domain/review.ts";
import { addDays, type Day, dayMs, dayOf } from "../../lib/timestamp.ts";
import type { Fields } from "./import-rows.ts";

/** Collects what is wrong with one row while its fields are read. */
export class FieldReader {
  readonly faults: string[] = [];
  readonly #fields: Fields;
  readonly #isText: boolean;

  constructor(fields: Fields, format: "jsonl" | "csv") {
    this.#fields = fields;
    this.#isText = format === "csv";
  }

  /** "" when there is no value. */
  text(name: string, lengthMax: number): string {
    const value = this.value(name);
    if (value === undefined) return "";
    if (typeof value !== "string") return this.#refuse(name, "must be text", "");
    const clean = cleanText(value);
    if (clean.length <= lengthMax) return clean;
    return this.#refuse(name, `must not be longer than ${lengthMax} characters`, "");
  }

  /** Text that has to be there. */
  name(name: string, lengthMax: number): string {
    const text = this.text(name, lengthMax);
    if (text.trim() !== "" || this.#isRefused(name)) return text;
    return this.#refuse(name, "must not be empty", "");
  }

  /** A country or language, lower case; null when there is no value. */
  code(name: string): string | null {
    const text = this.text(name, 35).trim().toLowerCase().replaceAll("_", "-");
    if (text === "") return null;
    if (codePattern.test(text)) return text;
    return this.#refuse(name, "must be a code such as us or pt-br", null);
  }

  number(name: string, expected: { what: string; isRight: (value: number) => boolean }): number {
    const value = this.value(name);
    const stated =
      this.#isText && typeof value === "string" && decimalPattern.test(value.trim())
        ? Number(value)
        : value;
    if (typeof stated === "number" && expected.isRight(stated)) return stated;
    return this.#refuse(name, `must be ${expected.what}`, Number.NaN);
  }

  /** From 2008 to two days ahead. */
  date(name: string, now: Date): Date {
    return this.#moment(name, { now, example: "2026-11-21T08:37:00Z" });
  }

  /** The UTC day of a date or a moment, within the same bounds. */
  day(name: string, now: Date): Day {
    return dayOf(this.#moment(name, { now, example: "2026-11-21" }));
  }

  #moment(name: string, { now, example }: { now: Date; example: string }): Date {
    const value = this.value(name);
    const date = typeof value === "string" ? readDate(value.trim()) : null;
    if (!date) return this.#refuse(name, `must be a date such as ${example}`, now);
    const { yearMin, daysAheadMax } = reviewLimits;
    const isTooLate = date.getTime() > now.getTime() + daysAheadMax * dayMs;
    if (date.getUTCFullYear() < yearMin || isTooLate) {
      const reason = `must be from ${yearMin} to ${daysAheadMax} days ahead`;
      return this.#refuse(name, reason, now);
    }
    return date;
  }

  /** undefined and null are both "no value". */
  value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined;
  }

  /** Notes a fault and goes on with a value that is never used. */
  #refuse<T>(name: string, reason: string, unused: T): T {
    this.faults.push(`${name} ${reason}`);
    return unused;
  }

  #isRefused(name: string): boolean {
    return this.faults.some((fault) => fault.startsWith(`${name} `));
  }
}

const codePattern = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/;
const decimalPattern = /^-?\d+(\.\d+)?$/;
// ISO 8601: a day, and maybe a time with seconds or without; without a zone it is UTC.
const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** null for what is no moment, such as the 30th of February. */
export function readDate(text: string): Date | null {
  const [, day = "", time = "00:00", zone = "Z"] = datePattern.exec(text) ?? [];
  if (day === "" || !isDay(day)) return null;
  const hours = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const moment = new Date(`${day}T${time}${hours}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

// The platform takes the 30th of February for the 2nd of March.
function isDay(day: Day): boolean {
  return !Number.isNaN(Date.parse(day)) && addDays(day, 0) === day;
}
