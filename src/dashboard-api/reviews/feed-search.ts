// The reviews of a page that no index has: found by scanning the newest, step by step.

import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/read-models/followed-apps.ts";
import type { ReviewPosition } from "../../database/read-models/review-pages.ts";
import type { SearchFilters } from "../../database/read-models/search-filters-sql.ts";
import type { FeedFilters } from "../contract/reviews.ts";
import { letterCases } from "./search-terms.ts";

/** Frequent matches are in the first few hundred; all steps together take a quarter of a second. */
const steps = [500, 2_000, 7_500];

export type ReviewKey = { listingId: string; id: string };
export type FoundKeys = {
  keys: ReviewKey[];
  last: ReviewPosition | null;
  searchedCount: number | null;
};

export async function readBySearch(
  database: Pick<Database, "listFollowedApps" | "searchReviews">,
  page: Chosen & { after: ReviewPosition | null; limit: number },
): Promise<FoundKeys> {
  const { limit } = page;
  const filters = await toSearchFilters(database, page);
  const keys: ReviewKey[] = [];
  let searchedCount = 0;
  let last = page.after;
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
