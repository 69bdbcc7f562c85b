// The review filters in the page's URL, so that every view can be linked to, and the paths that other pages
// use to link to the reviews behind a number.
import type { FeedFilters } from "../../../../src/dashboard-api/contract/requests.ts";
import { withQuery } from "../../api/http-request.ts";
import { daysBefore, todayUtc } from "../../format/clock.ts";

export type { FeedFilters };

/** A filter that is set to yes, to no, or not at all: both in words, and its label on a channel's form, if it has one. */
type Flag = readonly [yes: string, no: string, label: string | null];

/** How the URL has the value of each filter. The service checks the values. */
const kinds: Readonly<Record<keyof FeedFilters, "text" | "stars" | Flag>> = {
  app: "text",
  store: "text",
  from: "text",
  to: "text",
  range: "text",
  newSince: "text",
  rating: "stars",
  sentiment: "text",
  topic: "text",
  country: "text",
  language: "text",
  version: "text",
  q: "text",
  minLength: "text",
  hasText: ["With a text", "Without a text", "Text"],
  hasReply: ["With a reply", "Without a reply", "Reply"],
  edited: ["Edited", "Not edited", null],
  removed: ["Removed from the store", "Still in the store", null],
  reply: "text",
  tag: "text",
  assignee: "text",
  status: "text",
};

export type FlagName = {
  [Name in keyof FeedFilters]-?: boolean extends FeedFilters[Name] ? Name : never;
}[keyof FeedFilters];

export const flags = Object.entries(kinds).filter(([, kind]) => typeof kind !== "string") as [
  FlagName,
  Flag,
][];

/** The path of the reviews that match, within the workspace. */
export function reviewsPath(filters: FeedFilters): string {
  return withQuery("/reviews", toQuery(filters));
}

export function readFilters(search: URLSearchParams): FeedFilters {
  const filters: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const value = search.get(name);
    if (!value) continue;
    if (kind === "stars") filters[name] = value.split(",").map(Number);
    else if (kind === "text") filters[name] = value;
    else if (value === "true" || value === "false") filters[name] = value === "true";
  }
  // The service validates them and explains what it refuses.
  return filters as FeedFilters;
}

export function toQuery(filters: FeedFilters): Record<string, string> {
  const active = Object.entries(filters).filter(
    ([, value]) =>
      value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
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
