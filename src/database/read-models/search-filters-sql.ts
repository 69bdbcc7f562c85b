// The filters of searches and of the counts above them, as values and as conditions on a review `r`.
import { ofEachListing } from "../distributed-sql.ts";
import {
  type CheckedFilter,
  type ReviewFilters,
  writeConditions,
} from "../reviews/review-filters.ts";
import { newestReviews } from "./newest-reviews-sql.ts";
import { pageBounds } from "./page-bounds-sql.ts";
import type { ReviewPosition } from "./review-pages.ts";
import { regionColumn } from "./review-ranges-sql.ts";
import { listingValues, type SeenScope } from "./seen-listings-sql.ts";

export type SearchFilters = SeenScope & ReviewFilters;

export type Scan = {
  filters: SearchFilters;
  after: ReviewPosition | null;
  /** How many reviews are looked at. */
  scanMax: number;
};

/** `$1` to `$7`: which reviews are looked at. */
function scanValues({ filters, after, scanMax }: Scan): unknown[] {
  const { from, before, beforeId } = pageBounds(filters, after);
  return [...listingValues(filters), from, before, beforeId, scanMax];
}

export type SearchConditions = {
  conditions: Partial<Record<CheckedFilter, string>>;
  /** Whether the workspace follows the region of a review `r` of `s`. */
  isFollowed: string;
  values: unknown[];
};

/** The conditions on a review `r` of `s`, with all values so far. */
export function searchConditions(scan: Scan): SearchConditions {
  const values = scanValues(scan);
  const add = (_: CheckedFilter, value: unknown): string => `$${values.push(value)}`;
  const conditions = writeConditions(scan.filters, { appId: "s.app_id", add });
  return {
    conditions,
    values,
    isFollowed: `(s.regions is null or ${regionColumn} = any(s.regions))`,
  };
}

/** Begins a statement with the common table expression `newest`: the newest reviews. */
export function withScanned({ filters, scanMax }: Scan): string {
  const newest = newestReviews({ appCount: filters.apps.length, scanMax });
  return `${ofEachListing("$2")}with ${newest}`;
}
