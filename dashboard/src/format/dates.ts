// Times in words, in the browser's zone with UTC beside it, and days as they are counted: in UTC.
import { nowMs } from "./clock.ts";

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const utcMoment = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `21 Nov 2026, 09:14` in the browser's zone. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

export function formatUtc(iso: string): string {
  return `${utcMoment.format(new Date(iso))} UTC`;
}

/** `21 Nov 2026` for `2026-11-21`. */
export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

/** `3 hours ago`, `in 5 minutes`; beyond a month the date itself says more. */
export function formatRelative(iso: string): string {
  const seconds = (Date.parse(iso) - nowMs()) / 1_000;
  if (Math.abs(seconds) > 30 * 86_400) return formatMoment(iso);
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? "in less than a minute" : "just now";
}
