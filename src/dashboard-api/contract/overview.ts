// The overview: ratings and reviews of a range of days, and of the equally long range before. Its cost depends
// on the days, never on the number of reviews.

import type { Incident } from "../../domain/changes/incident.ts";
import type { Verdict } from "../../domain/changes/verdict.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import type { OverviewAnswer, ReleaseDays } from "../../read/overview/overview.ts";
import type { ComparedRelease } from "../../use-cases/apps/releases.ts";
import type { ReviewCounts } from "../../use-cases/apps/review-counts.ts";
import type * as requests from "./requests.ts";
import type { Moment, Route } from "./route.ts";

export type {
  Overview,
  OverviewAnswer,
  OverviewApp,
  RatingNow,
  RegionCounts,
  Release,
  ReleaseDays,
  TopicTrend,
  WeekVolume,
} from "../../read/overview/overview.ts";
export type { PageContent } from "../../read/pages/page-content.ts";
export type { ComparedRelease, Incident, ReviewCounts, Verdict };

export type OverviewRoutes = {
  /** Every version that a review names, the newest first; at most 2,000. */
  "GET /workspaces/:workspace/apps/:app/releases": Route<{
    app: { name: string; store: StoreId };
    releases: ReleaseDays[];
  }>;
  /** Of the newest 20 releases, or of one version. */
  "GET /workspaces/:workspace/apps/:app/verdicts": Route<
    { app: { name: string; store: StoreId }; verdicts: Verdict[] },
    never,
    typeof requests.verdictsQuery
  >;
  /** Without `app` all apps of the workspace together. Without `from` the last 90 days; to today. */
  "GET /workspaces/:workspace/overview": Route<
    OverviewAnswer,
    never,
    typeof requests.overviewQuery
  >;
  /**
   * The user looks at the Overview: from any browser, once an hour has passed since the last look, a new visit begins.
   * `previousAt`: the last look of the visit before; null on the first visit.
   */
  "POST /workspaces/:workspace/visits": Route<{ previousAt: Moment | null }>;
};
