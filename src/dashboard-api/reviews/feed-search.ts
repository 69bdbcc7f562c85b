// The reviews of a page that no index of columns has: found by scanning the newest, step by step, or by the search index.

import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/read-models/followed-apps.ts";
import type { ReviewPosition } from "../../database/read-models/review-pages.ts";
import type { SearchFilters } from "../../database/read-models/search-filters-sql.ts";
import type { FeedFilters } from "../contract/reviews.ts";
import { letterCases } from "./search-terms.ts";
import { indexedMax, isAnsweredByIndex } from "./word-index.ts";

/** Frequent matches are in the first few hundred; all steps together take a quarter of a second. */
const firstSteps = [500];
const furtherSteps = [2_000, 7_500];

export type ReviewKey = { listingId: string; id: string };
export type FoundKeys = {
  keys: ReviewKey[];
  last: ReviewPosition | null;
  searchedCount: number | null;
};

type SearchDatabase = Pick<
  Database,
  | "listFollowedApps"
  | "searchReviews"
  | "searchIndexedReviews"
  | "readSearchIndex"
  | "isKnownToSearchIndex"
  | "countNewestWithAll"
>;

export async function readBySearch(
  database: SearchDatabase,
  page: Chosen & { after: ReviewPosition | null; limit: number },
): Promise<FoundKeys> {
  const { limit, after } = page;
  const filters = await toSearchFilters(database, page);
  const first = await scan(database, { filters, after, limit, steps: firstSteps });
  if (first.last === null || first.keys.length >= limit) return first;
  const rest = { filters, after: first.last, limit: limit - first.keys.length };
  const indexed = (await isAnsweredByIndex(database, { filters, after }))
    ? await database.searchIndexedReviews({ ...rest, scanMax: indexedMax })
    : null;
  const more = indexed
    ? { keys: indexed.found, last: indexed.last, searchedCount: null }
    : await scan(database, { ...rest, steps: furtherSteps });
  const searchedCount =
    more.searchedCount === null ? null : first.searchedCount + more.searchedCount;
  return { keys: [...first.keys, ...more.keys], last: more.last, searchedCount };
}

async function scan(
  database: SearchDatabase,
  search: {
    filters: SearchFilters;
    after: ReviewPosition | null;
    limit: number;
    steps: readonly number[];
  },
): Promise<FoundKeys & { searchedCount: number }> {
  const { filters, limit, steps } = search;
  const keys: ReviewKey[] = [];
  let searchedCount = 0;
  let last = search.after;
  for (const scanMax of steps) {
    const step = { filters, after: last, limit: limit - keys.length, scanMax };
    const { found, scannedCount, last: end } = await database.searchReviews(step);
    keys.push(...found);
    searchedCount += scannedCount;
    last = end;
    if (end === null || keys.length >= limit) break;
  }
  return { keys, last, searchedCount };
}

type Chosen = { workspaceId: string; filters: FeedFilters };

/** The apps of the workspace that the filters name, as it sees them. */
export async function listChosen(
  database: Pick<Database, "listFollowedApps">,
  { workspaceId, filters }: Chosen,
): Promise<FollowedApp[]> {
  const ids = filters.app === undefined ? null : [filters.app];
  const followed = await database.listFollowedApps({ workspaceId, ids });
  return followed.filter(({ store }) => filters.store === undefined || store === filters.store);
}

export async function toSearchFilters(
  database: Pick<Database, "listFollowedApps">,
  chosen: Chosen,
): Promise<SearchFilters> {
  const { workspaceId, filters } = chosen;
  return {
    workspaceId,
    apps: await listChosen(database, chosen),
    from: filters.from ?? null,
    to: filters.to ?? null,
    ratings: filters.rating ?? null,
    sentiment: filters.sentiment ?? null,
    topics: filters.topic === undefined ? null : [filters.topic],
    country: filters.country ?? null,
    language: filters.language ?? null,
    version: filters.version ?? null,
    editedOnly: filters.editedOnly ?? false,
    hasReply: filters.hasReply ?? null,
    tag: filters.tag ?? null,
    assigneeId: filters.assignee ?? null,
    words: filters.q === undefined ? [] : letterCases(filters.q),
  };
}
