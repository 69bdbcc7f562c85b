// Finds the reviews of a workspace that match the filters of the Reviews page: in an index where one answers them, else
// by scanning a bounded number of the newest, which the result reports.
import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { ScopedFilters } from "../../database/reviews/review-facets.ts";
import { isIndexed } from "../../database/reviews/review-filters.ts";
import type { PageQuery } from "../../database/reviews/review-page-sql.ts";
import type { ReviewKey } from "../../database/reviews/review-pages.ts";
import type { ReviewPosition } from "../../database/reviews/review-ranges.ts";
import type { ReviewFilter } from "../../domain/review/review-filter.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { dayMs, dayOf } from "../../lib/timestamp.ts";

export type FoundReviews = {
  /** The apps that were searched, as the workspace sees them. */
  apps: FollowedApp[];
  /** The newest review first. */
  keys: ReviewKey[];
  /** Where the next page begins, which can exist after a short or an empty one; null without one. */
  last: ReviewPosition | null;
  /** How many reviews were scanned; null where an index had the answer. */
  searchedCount: number | null;
};

type Chosen = {
  workspaceId: string;
  /** With days in place of a range: see `resolveDates`. */
  filters: ReviewFilter;
};

/** @throws AppError `not_found` for an app of another workspace */
export async function searchReviews(
  database: Pick<Database, "listFollowedApps" | "listReviewKeys">,
  search: Chosen & { after: ReviewPosition | null; limit: number },
): Promise<FoundReviews> {
  const { workspaceId, after, limit } = search;
  const apps = await listChosenApps(database, search);
  const page = { workspaceId, apps, filters: search.filters, after, limit };
  if (!isIndexed(page.filters)) return { apps, ...(await scanNewest(database, page)) };
  const { keys, last } = await database.listReviewKeys(page);
  return { apps, keys, last, searchedCount: null };
}

/**
 * The apps that the filters name, as the workspace sees them.
 *
 * @throws AppError `not_found` for an app of another workspace
 */
export async function listChosenApps(
  database: Pick<Database, "listFollowedApps">,
  { workspaceId, filters }: Chosen,
): Promise<FollowedApp[]> {
  const { app, store } = filters;
  const ids = app === undefined ? null : [app];
  const followed = await database.listFollowedApps({ workspaceId, ids });
  if (app !== undefined && followed.length === 0) throw notFound("app", app);
  return followed.filter((one) => store === undefined || store === one.store);
}

/** Counts look at this many of the newest reviews: each costs a lookup, and all together take a tenth of a second. */
export const scannedMax = 10_000;

/** Reviews that match among the newest of the days. */
export async function countMatching(
  database: Pick<Database, "countFacets">,
  filters: ScopedFilters,
): Promise<number> {
  const counted = await database.countFacets({ filters, scanMax: scannedMax });
  return counted
    .filter(({ facet }) => facet === "matching_rating")
    .reduce((sum, { count }) => sum + count, 0);
}

/** Frequent matches are in the first few hundred; all steps together take a quarter of a second. */
const steps = [500, 2_000, 7_500];

async function scanNewest(
  database: Pick<Database, "listReviewKeys">,
  page: PageQuery,
): Promise<Omit<FoundReviews, "apps">> {
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

/**
 * The filters with days in place of a range such as `14d`, which moves on with the calendar.
 *
 * @throws AppError `invalid_input` for dates that exclude each other
 */
export function resolveDates({ range, ...filters }: ReviewFilter, now: Date): ReviewFilter {
  const { from, to } = filters;
  if (range !== undefined) {
    if (from !== undefined || to !== undefined)
      failField("range", "can't be combined with `from` and `to`");
    const dayCount = Number(range.slice(0, -1));
    return { ...filters, from: dayOf(new Date(now.getTime() - (dayCount - 1) * dayMs)) };
  }
  if (from !== undefined && to !== undefined && from > to)
    failField("from", "must not be after `to`");
  return filters;
}
