// The review filters in the page's URL, so that every view can be linked to, and the paths that other pages
// use to link to the reviews behind a number.
import type { FeedFilters } from "../../../../src/dashboard-api/contract/requests.ts";
import { withQuery } from "../../api/http-request.ts";
import { daysBefore, todayUtc } from "../../format/clock.ts";

export type { FeedFilters };

const names = [
  "app",
  "store",
  "from",
  "to",
  "range",
  "rating",
  "sentiment",
  "topic",
  "country",
  "language",
  "version",
  "q",
  "minLength",
  "tag",
  "assignee",
  "status",
] as const;

/** Filters of which `false` says something, too. */
const eitherNames: readonly string[] = ["hasReply", "hasText"];

/** The path of the reviews that match, within the workspace. */
export function reviewsPath(filters: FeedFilters): string {
  return withQuery("/reviews", toQuery(filters));
}

export function readFilters(search: URLSearchParams): FeedFilters {
  const filters: Record<string, unknown> = {};
  for (const name of names) {
    const value = search.get(name);
    if (value) filters[name] = name === "rating" ? value.split(",").map(Number) : value;
  }
  if (search.get("editedOnly") === "true") filters["editedOnly"] = true;
  for (const name of eitherNames) {
    const value = search.get(name);
    if (value === "true" || value === "false") filters[name] = value === "true";
  }
  // The service validates them and explains what it refuses.
  return filters as FeedFilters;
}

export function toQuery(filters: FeedFilters): Record<string, string> {
  const active = Object.entries(filters).filter(
    ([name, value]) =>
      value !== undefined &&
      value !== "" &&
      (value !== false || eitherNames.includes(name)) &&
      !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(active.map(([name, value]) => [name, String(value)]));
}

/** As a saved view has it: the same for the same filters, whatever their order. */
export function viewQuery(filters: FeedFilters): string {
  return new URLSearchParams(Object.entries(toQuery(filters)).sort()).toString();
}

/** As the read API has them: with a first day in place of the number of days. */
export function withFirstDay({ range, ...filters }: FeedFilters): FeedFilters {
  if (range === undefined) return filters;
  return { ...filters, from: daysBefore(todayUtc(), Number.parseInt(range, 10) - 1) };
}

export function countFilters(filters: FeedFilters): number {
  return Object.keys(toQuery(filters)).length;
}
