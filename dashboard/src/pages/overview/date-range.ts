// The range of days that the overview speaks of, as it stands in the page's address.
import { daysBefore, todayUtc } from "../../format/clock.ts";

export const ranges = [
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
  { value: "365", label: "Last 12 months" },
  { value: "all", label: "All time" },
  { value: "own", label: "Own dates" },
] as const;

export type RangeName = (typeof ranges)[number]["value"];

export type Range = { name: RangeName; from: string; to: string };

// Before it no store had reviews; the service takes no earlier day.
const firstDay = "2008-01-01";

export function readRange(search: URLSearchParams): Range {
  const today = todayUtc();
  const [from, to] = [search.get("from"), search.get("to")];
  if (from && to) return { name: "own", from, to };
  const known = ranges.find((range) => range.value === search.get("range"))?.value;
  const name = known === undefined || known === "own" ? "90" : known;
  if (name === "all") return { name, from: firstDay, to: today };
  return { name, from: daysBefore(today, Number(name) - 1), to: today };
}

export function writeRange(search: URLSearchParams, range: Range): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ["from", "to", "range"]) next.delete(name);
  if (range.name === "own") {
    next.set("from", range.from);
    next.set("to", range.to);
  } else if (range.name !== "90") next.set("range", range.name);
  return next;
}
