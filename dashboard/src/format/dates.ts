// Formats times in the browser's time zone or in UTC, and days, which are UTC days.
import { nowMs } from "./clock.ts";

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const utcMoment = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto", style: "short" });

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const shortDay = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const month = new Intl.DateTimeFormat("en-GB", {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** With months of three letters: British English has four for September alone. */
function format(text: Intl.DateTimeFormat, date: Date): string {
  return text.format(date).replace("Sept ", "Sep ").replace(/Sept$/, "Sep");
}

const startOf = (day: string) => new Date(`${day.slice(0, 10)}T00:00:00Z`);

/** `21 Nov 2026, 09:14` in the browser's time zone. */
export function formatMoment(iso: string): string {
  return format(moment, new Date(iso));
}

export function formatUtc(iso: string): string {
  return `${format(utcMoment, new Date(iso))} UTC`;
}

/** `21 Nov 2026` for `2026-11-21`. */
export function formatDay(day: string): string {
  return format(dayFormat, startOf(day));
}

/** `21 Nov` for `2026-11-21`. */
export function formatShortDay(day: string): string {
  return format(shortDay, startOf(day));
}

/** `Nov 2026` for `2026-11-21`. */
export function formatMonth(day: string): string {
  return format(month, startOf(day));
}

/** `3 min ago`, `in 2 hr`; a time more than 30 days away is shown as a date. */
export function formatRelative(iso: string): string {
  const seconds = (Date.parse(iso) - nowMs()) / 1_000;
  if (Math.abs(seconds) > 30 * 86_400) return formatMoment(iso);
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? "in less than a minute" : "just now";
}

/** The same for work that is planned: `in 40 s`, and `now` for what is due. */
export function formatDue(iso: string): string {
  const leftMs = Date.parse(iso) - nowMs();
  if (leftMs <= 0) return "now";
  return leftMs < 60_000 ? `in ${Math.ceil(leftMs / 1_000)} s` : formatRelative(iso);
}
