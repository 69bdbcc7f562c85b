// The review feed with its counts, and one review with its versions.

import { notFound } from "../../domain/validation-errors.ts";
import { createCursors } from "../../http/cursor.ts";
import { countFeedDays, summarizeFeed } from "../../read/reviews/feed-summary.ts";
import { listReviewViews, readFeedPage } from "../../read/reviews/review-feed.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import { feedFilters, feedPage } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";

const pageSizeDefault = 30;

export const reviewRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/reviews", {
    access: "viewer",
    query: feedPage,
    async handle({ deps, workspaceId, query }) {
      const { limit = pageSizeDefault, cursor, ...filters } = query;
      const cursors = createCursors([deps.signingKey]);
      // Its position holds over midnight, when a range begins a day later.
      const list = { workspaceId, filters: Object.entries(filters).sort() };
      const after = cursor === undefined ? null : cursors.decode(cursor, list);
      const page = await readFeedPage(deps, {
        workspaceId,
        filters: resolveDates(filters, deps.clock.now()),
        after,
        limit,
      });
      return {
        reviews: page.reviews,
        nextCursor: page.last && cursors.encode(page.last, list),
        searchedCount: page.searchedCount,
      };
    },
  }),
  route("GET /workspaces/:workspace/reviews/summary", {
    access: "viewer",
    query: feedFilters,
    async handle({ deps, workspaceId, query }) {
      const filters = resolveDates(query, deps.clock.now());
      return summarizeFeed(deps, { workspaceId, filters });
    },
  }),
  route("GET /workspaces/:workspace/reviews/days", {
    access: "viewer",
    query: feedFilters,
    async handle({ deps, workspaceId, query }) {
      const filters = resolveDates(query, deps.clock.now());
      return { days: await countFeedDays(deps, { workspaceId, filters }) };
    },
  }),
  route("GET /workspaces/:workspace/apps/:app/reviews/:review", {
    access: "viewer",
    async handle({ deps, workspaceId, params }) {
      const app = await requireApp(deps.database, { id: params.app, workspaceId });
      const { listingId } = app;
      const keys = [{ listingId, id: params.review }];
      const [review] = await listReviewViews(deps, { workspaceId, apps: [app], keys });
      if (!review) throw notFound("review", params.review);
      const reviewId = review.id;
      const versions = await deps.database.listReviewVersions({ workspaceId, listingId, reviewId });
      return { review, versions };
    },
  }),
];
