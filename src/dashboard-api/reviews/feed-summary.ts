// The counts above the feed: what matches the filters, and what each further choice would leave.
import type { MatchingDay } from "../../database/reviews/review-days.ts";
import type { CountedFacet } from "../../database/reviews/review-facets.ts";
import { listChosenApps, scannedMax as scanMax } from "../../use-cases/reviews/search-reviews.ts";
import type { FeedFilters } from "../contract/requests.ts";
import type { FacetName, FacetValue, FeedSummary } from "../contract/reviews.ts";
import type { DashboardDeps } from "../deps.ts";

const facetNames: readonly FacetName[] = [
  "rating",
  "sentiment",
  "topic",
  "country",
  "language",
  "version",
];

type Deps = Pick<DashboardDeps, "database">;
type Query = { workspaceId: string; filters: FeedFilters };

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
