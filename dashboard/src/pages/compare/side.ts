// One side of a comparison: its filters, the answers for them, and its name.
import type { FeedSummary, MatchingDay } from "../../../../src/dashboard-api/contract/reviews.ts";
import { nameFilters } from "../reviews/filter-names.ts";
import type { FeedFilters } from "../reviews/filters.ts";

export type Side = {
  name: string;
  filters: FeedFilters;
  summary: FeedSummary | undefined;
  /** Counts the negative ones alone. */
  complaints: FeedSummary | undefined;
  days: readonly MatchingDay[] | undefined;
  error: unknown;
};

export function nameSide(
  side: string,
  filters: FeedFilters,
  apps: Parameters<typeof nameFilters>[1],
): string {
  return `${side.toUpperCase()}: ${nameFilters(filters, apps).join(", ") || "all reviews"}`;
}
