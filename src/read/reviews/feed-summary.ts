// The counts above the feed: what matches the filters, and what each further choice would leave.
import type { MatchingDay } from "../../database/reviews/review-days.ts";
import type { CountedFacet } from "../../database/reviews/review-facets.ts";
import type { ReviewFilter } from "../../domain/review/review-filter.ts";
import { listChosenApps, scannedMax as scanMax } from "../../use-cases/reviews/search-reviews.ts";
import type { Reader } from "../reader.ts";

export type FacetName = "rating" | "sentiment" | "topic" | "country" | "language" | "version";

export type FacetValue = { value: string; count: number };

export type FeedSummary = {
  /** Reviews that match. */
  total: number;
  /** Only the newest of a large workspace's reviews are counted, this many before all filters but the dates. */
  newestOnly: number | null;
  /** The average of the matching ones; null without any. */
  averageRating: number | null;
  /** The most frequent topics of the matching ones, at most 5. */
  topics: FacetValue[];
  /** For each filter: how many reviews each choice would leave, with all other filters as they are. */
  facets: Record<FacetName, FacetValue[]>;
};

const facetNames: readonly FacetName[] = [
  "rating",
  "sentiment",
  "topic",
  "country",
  "language",
  "version",
];

type Deps = Pick<Reader, "database">;
type Query = { workspaceId: string; filters: ReviewFilter };

/** The same reviews by day. @throws AppError `not_found` for an app that is not the workspace's */
export async function countFeedDays(
  { database }: Deps,
  { workspaceId, filters }: Query,
): Promise<MatchingDay[]> {
  const apps = await listChosenApps(database, { workspaceId, filters });
  return database.countMatchingDays({ filters: { workspaceId, apps, ...filters }, scanMax });
}

/** @throws AppError `not_found` for an app that is not the workspace's */
export async function summarizeFeed(
  { database }: Deps,
  { workspaceId, filters }: Query,
): Promise<FeedSummary> {
  const apps = await listChosenApps(database, { workspaceId, filters });
  const chosen = { workspaceId, apps, ...filters };
  const counted = await database.countFacets({ filters: chosen, scanMax });
  const of = (facet: CountedFacet): FacetValue[] =>
    counted.filter((one) => one.facet === facet).map(({ value, count }) => ({ value, count }));
  const stars = of("matching_rating");
  const total = stars.reduce((sum, { count }) => sum + count, 0);
  const sum = stars.reduce((all, { value, count }) => all + Number(value) * count, 0);
  const isPartial = (of("scanned")[0]?.count ?? 0) >= scanMax;
  return {
    total,
    newestOnly: isPartial ? scanMax : null,
    averageRating: total === 0 ? null : sum / total,
    topics: of("matching_topic"),
    facets: Object.fromEntries(facetNames.map((name) => [name, of(name)])) as FeedSummary["facets"],
  };
}
