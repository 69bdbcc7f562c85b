// The reviews of a page that no index has: found by scanning the newest, step by step.

import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { ReviewFilters } from "../../database/reviews/review-filters.ts";
import type { ReviewKey } from "../../database/reviews/review-pages.ts";
import type { PageQuery, ReviewPosition } from "../../database/reviews/review-ranges.ts";
import type { FeedFilters } from "../contract/requests.ts";

/** Frequent matches are in the first few hundred; all steps together take a quarter of a second. */
const steps = [500, 2_000, 7_500];

export type FoundKeys = {
  keys: ReviewKey[];
  last: ReviewPosition | null;
  searchedCount: number | null;
};

export async function readBySearch(
  database: Pick<Database, "listReviewKeys">,
  page: PageQuery,
): Promise<FoundKeys> {
  const keys: ReviewKey[] = [];
  let searchedCount = 0;
  let last = page.after;
  for (const scanMax of steps) {
    const step = { ...page, after: last, limit: page.limit - keys.length, scanMax };
    const found = await database.listReviewKeys(step);
    keys.push(...found.keys);
    searchedCount += found.scannedCount;
    last = found.last;
    if (last === null || keys.length >= page.limit) break;
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

export function toReviewFilters(filters: FeedFilters): ReviewFilters {
  return {
    from: filters.from ?? null,
    to: filters.to ?? null,
    ratings: filters.rating ?? null,
    sentiments: toList(filters.sentiment),
    topics: toList(filters.topic),
    countries: toList(filters.country),
    languages: toList(filters.language),
    versions: toList(filters.version),
    isEdited: filters.editedOnly || null,
    isRemoved: null,
    hasText: filters.hasText ?? null,
    minLength: filters.minLength ?? null,
    hasReply: filters.hasReply ?? null,
    tag: filters.tag ?? null,
    assigneeId: filters.assignee ?? null,
    isDone: filters.status === undefined ? null : filters.status === "done",
    words: toList(filters.q),
  };
}

function toList<Value>(value: Value | undefined): Value[] | null {
  return value === undefined ? null : [value];
}
