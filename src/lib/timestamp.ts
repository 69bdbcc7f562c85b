// Moments and days as text, as they appear everywhere outside: ISO 8601 in UTC.

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A UTC day, `YYYY-MM-DD`. */
export type Day = string;
/** ISO 8601 in UTC, e.g. `2026-11-21T08:37:00Z`. */
export type Moment = string;
/** As it is written in JSON, with timestamps for dates. */
export type Json<T> = T extends Date
  ? Moment
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [Name in keyof T]: Json<T[Name]> }
      : T;

/** `2026-11-21T08:37:00Z`; milliseconds only where there are any. */
export function formatTimestamp(moment: Date): string {
  const text = moment.toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, 19)}Z` : text;
}

/** The same value with timestamps for all dates in it, at any depth. */
export function formatDates(value: unknown): unknown {
  if (value instanceof Date) return formatTimestamp(value);
  if (Array.isArray(value)) return value.map(formatDates);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, formatDates(one)]));
}

export function dayOf(moment: Date): Day {
  return moment.toISOString().slice(0, 10);
}

/** Whether the text is a day of the calendar, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  // JavaScript takes the 30th of February for the 1st or 2nd of March.
  return !Number.isNaN(moment.getTime()) && dayOf(moment) === text;
}

export function addDays(day: Day, count: number): Day {
  return dayOf(new Date(Date.parse(day) + count * dayMs));
}

/** The Monday of the ISO week, in UTC: another number from each Monday on. */
export function weekNumberOf(moment: Date): number {
  // The first of January 1970 was a Thursday, three days after a Monday.
  return Math.floor((moment.getTime() / dayMs + 3) / 7);
}

/** The Monday of the day's ISO week. */
export function mondayOf(day: Day): Day {
  const daysSinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -daysSinceMonday);
}
