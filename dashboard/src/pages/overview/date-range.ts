// The date range of the overview, which is part of the page's URL.
import { daysBefore, todayUtc } from "../../format/clock.ts";

export const dateRanges = [
  { value: "1d", label: "Today" },
  { value: "7d", label: "Last 7 days" },
  { value: "14d", label: "Last 14 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "90d", label: "Last 90 days" },
  { value: "365d", label: "Last 12 months" },
  { value: "all", label: "All time" },
  { value: "custom", label: "Custom range" },
] as const;

/** `since`: from a day on, which is a release's, up to today. */
export type DateRangeName = (typeof dateRanges)[number]["value"] | "since";

export type DateRange = { name: DateRangeName; from: string; to: string };

/** The service's own range when a request names no days, so that start.js can send it early. */
const defaultName = "90d";

// No store had reviews before it, and the service accepts no earlier day.
const firstDay = "2008-01-01";

export function readDateRange(search: URLSearchParams): DateRange {
  const today = todayUtc();
  const [from, to] = [search.get("from"), search.get("to")];
  if (from && to) return { name: "custom", from, to };
  if (from) return { name: "since", from, to: today };
  const named = dateRanges.find((range) => range.value === search.get("range"))?.value;
  const name = named === undefined || named === "custom" ? defaultName : named;
  if (name === "all") return { name, from: firstDay, to: today };
  return { name, from: daysBefore(today, Number.parseInt(name, 10) - 1), to: today };
}

/** The days of a request; none for the default range. */
export function toDaysQuery({ name, from, to }: DateRange): { from?: string; to?: string } {
  return name === defaultName ? {} : { from, to };
}

/** As a link has it that shares the page: the last days move on with the calendar. */
export function sharedQuery({ name, from, to }: DateRange, app: string | undefined): string {
  const isOpen = name === "all" || name === "since";
  const days = name === "custom" ? { from, to } : isOpen ? { from } : { range: name };
  return new URLSearchParams({ ...(app && { app }), ...days }).toString();
}

export function writeDateRange(search: URLSearchParams, range: DateRange): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ["from", "to", "range"]) next.delete(name);
  if (range.name === "custom") {
    next.set("from", range.from);
    next.set("to", range.to);
  } else if (range.name === "since") {
    next.set("from", range.from);
  } else if (range.name !== defaultName) next.set("range", range.name);
  return next;
}
