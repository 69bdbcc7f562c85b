// The feed, one review with its history, the export, and the topics to choose from.
import { z } from "zod";
import { addDays, dayOf, formatTimestamp } from "../lib/timestamp.ts";
import { requireApp } from "../manage/apps.ts";
import { notFound, refuse } from "../manage/refusal.ts";
import { chooseApps } from "./chosen-apps.ts";
import { type ConsoleRoute, route } from "./console-route.ts";
import type { FeedFilters } from "./contract/reviews.ts";
import { streamExport } from "./export.ts";
import { readFeedPage, showReviews } from "./feed.ts";
import { openCursor, sealCursor } from "./feed-cursor.ts";
import { feedFilters, id, wholeNumber } from "./fields.ts";

const pageSizeDefault = 30;
const pageSizeMax = 100;
const topicsMax = 200;
/** Of nothing older than app stores. */
const firstDay = "2008-01-01";

export const reviewRoutes: readonly ConsoleRoute[] = [
  route("GET /workspaces/:workspace/reviews", {
    admits: "member",
    query: z.strictObject({
      ...feedFilters,
      limit: wholeNumber({ min: 1, max: pageSizeMax }).optional(),
      cursor: z.string().max(200).optional(),
    }),
    async answer({ rooms, workspace, query }) {
      const { limit = pageSizeDefault, cursor, ...filters } = query;
      checkRange(filters);
      const list = JSON.stringify([workspace.id, Object.entries(filters).sort()]);
      const key = rooms.sealKey;
      const after = cursor === undefined ? null : openCursor(key, { list, cursor });
      const page = await readFeedPage(rooms, { workspaceId: workspace.id, filters, after, limit });
      return {
        reviews: page.reviews,
        nextCursor: page.last && sealCursor(key, { list, position: page.last }),
        searchedCount: page.searchedCount,
      };
    },
  }),
  route("GET /workspaces/:workspace/apps/:app/reviews/:review", {
    admits: "member",
    async answer({ rooms, workspace, params }) {
      const workspaceId = workspace.id;
      const app = await requireApp(rooms.keep, { field: "app", id: params.app, workspaceId });
      const { listingId } = app;
      const wanted = [{ listingId, id: params.review }];
      const [review] = await showReviews(rooms, { workspaceId, apps: [app], wanted });
      if (!review) throw notFound("review", params.review);
      const reviewId = review.id;
      const versions = await rooms.keep.listReviewVersions({ workspaceId, listingId, reviewId });
      return {
        review,
        versions: versions.map((version) => ({
          ...version,
          date: formatTimestamp(version.date),
          replacedAt: formatTimestamp(version.replacedAt),
        })),
      };
    },
  }),
  route("GET /workspaces/:workspace/reviews/export", {
    admits: "member",
    query: z.strictObject({ ...feedFilters, format: z.enum(["csv", "jsonl"]) }),
    async answer({ rooms, workspace, query }) {
      const { format, ...filters } = query;
      checkRange(filters);
      const fileName = `reviews-${dayOf(rooms.clock.now())}`;
      return streamExport(rooms, { workspaceId: workspace.id, filters, format, fileName });
    },
  }),
  route("GET /workspaces/:workspace/topics", {
    admits: "member",
    query: z.strictObject({ app: id.optional() }),
    async answer({ rooms, workspace, query }) {
      const { keep, clock } = rooms;
      const workspaceId = workspace.id;
      const ids = query.app === undefined ? null : [query.app];
      const apps = await chooseApps(keep, { workspaceId, field: "app", ids });
      const topics = await keep.countTopics({
        workspaceId,
        appIds: apps.map((app) => app.id),
        from: firstDay,
        to: addDays(dayOf(clock.now()), 2),
        limit: topicsMax,
      });
      return { topics };
    },
  }),
];

function checkRange({ from, to }: FeedFilters): void {
  if (from !== undefined && to !== undefined && from > to) refuse("from", "must not be after `to`");
}
