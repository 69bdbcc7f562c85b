// The review feed with its counts, one review with its versions, and the export.

import type { App } from "../../domain/listing.ts";
import { byteOrderMark, createReviewCsv } from "../../domain/review-csv.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { createCursors } from "../../http/cursor.ts";
import { streamTexts } from "../../http/text-stream.ts";
import { dayOf } from "../../lib/timestamp.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { watchApps } from "../../use-cases/apps/watch-apps.ts";
import { recordAudit } from "../../use-cases/audit.ts";
import { listChosenApps, resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import { type FeedFilters, feedExport, feedFilters, feedPage } from "../contract/requests.ts";
import type { FeedReview } from "../contract/reviews.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { summarizeFeed } from "./feed-summary.ts";
import { type FeedPage, listReviewViews, readFeedPage } from "./review-feed.ts";

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
  route("GET /workspaces/:workspace/reviews/export", {
    access: "viewer",
    limits: [{ perMinute: 10, by: "workspace" }],
    query: feedExport,
    async handle({ deps, workspaceId, query }) {
      const { format, ...chosen } = query;
      const filters = resolveDates(chosen, deps.clock.now());
      const fileName = `reviews-${dayOf(deps.clock.now())}`;
      const response = await streamExport(deps, { workspaceId, filters, format, fileName });
      const subject = { id: workspaceId, workspaceId };
      await recordAudit(deps, deps.database, "reviews.exported", subject, query);
      return response;
    },
  }),
];

type ExportFormat = "csv" | "jsonl";

const pageSize = 100;

/**
 * The first page is read before the response begins, so that an invalid request gets a problem document.
 *
 * @throws AppError `not_found` for a foreign app
 */
export async function streamExport(
  deps: Pick<DashboardDeps, "database">,
  query: { workspaceId: string; filters: FeedFilters; format: ExportFormat; fileName: string },
): Promise<Response> {
  const { workspaceId, filters, format } = query;
  const listed = await deps.database.listApps({ workspaceId });
  const byId = new Map(listed.map((app) => [app.id, app]));
  // Evidence is shown on screen only, and costs more than all the rest.
  const withoutEvidence = { ...deps, findEvidence: async () => [] };
  const apps = await listChosenApps(deps.database, { workspaceId, filters });
  const assertUnmoved = await watchApps(deps.database, workspaceId, apps);
  const read = async (after: FeedPage["last"]): Promise<FeedPage> => {
    const page = { workspaceId, filters, after, limit: pageSize };
    const found = await readFeedPage(withoutEvidence, page);
    await assertUnmoved();
    return found;
  };
  const first = await read(null);
  async function* write(): AsyncGenerator<string> {
    if (format === "csv") yield byteOrderMark + csv.header;
    for (let page = first; ; page = await read(page.last)) {
      yield formatReviews(page.reviews, { format, apps: byId });
      if (page.last === null) return;
    }
  }
  const contentType = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
  const disposition = `attachment; filename="${query.fileName}.${format}"`;
  return new Response(streamTexts(write()), {
    headers: { "Content-Type": contentType, "Content-Disposition": disposition },
  });
}

type Apps = ReadonlyMap<string, App>;

function formatReviews(
  reviews: readonly FeedReview[],
  options: { format: ExportFormat; apps: Apps },
): string {
  const { format, apps } = options;
  const rows = reviews.map((review) => toRow(review, apps));
  const lines = rows.map((row) =>
    format === "csv" ? csv.formatLine(row) : `${JSON.stringify(row)}\n`,
  );
  return lines.join("");
}

const columns = `
  id app store externalAppId storeId date rating title text translatedText translatedFrom author version country
  language sentiment sentimentScore topics topicScores editedAt reply replyDate
`
  .trim()
  .split(/\s+/);

const csv = createReviewCsv(columns);

function toRow(review: FeedReview, apps: Apps) {
  const { name: app, externalAppId } = apps.get(review.appId) ?? {};
  const topics = review.topics.map(({ name }) => name);
  const topicScores = review.topics.map(({ score }) => score);
  return { ...review, app, externalAppId, topics, topicScores };
}
