// The date range of the overview, which is part of the page's URL.
import { daysBefore, todayUtc } from "../../format/clock.ts";

export const dateRanges = [
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
  { value: "365", label: "Last 12 months" },
  { value: "all", label: "All time" },
  { value: "custom", label: "Custom range" },
] as const;

export type DateRangeName = (typeof dateRanges)[number]["value"];

export type DateRange = { name: DateRangeName; from: string; to: string };

// No store had reviews before it, and the service accepts no earlier day.
const firstDay = "2008-01-01";

export function readDateRange(search: URLSearchParams): DateRange {
  const today = todayUtc();
  const [from, to] = [search.get("from"), search.get("to")];
  if (from && to) return { name: "custom", from, to };
  const named = dateRanges.find((range) => range.value === search.get("range"))?.value;
  const name = named === undefined || named === "custom" ? "90" : named;
  if (name === "all") return { name, from: firstDay, to: today };
  return { name, from: daysBefore(today, Number(name) - 1), to: today };
}

export function writeDateRange(search: URLSearchParams, range: DateRange): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ["from", "to", "range"]) next.delete(name);
  if (range.name === "custom") {
    next.set("from", range.from);
    next.set("to", range.to);
  } else if (range.name !== "90") next.set("range", range.name);
  return next;
}
