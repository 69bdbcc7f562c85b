// The reviews of a feed as a file of the dashboard.
import type { z } from "zod";
import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import type { App } from "../../domain/feed/listing.ts";
import { byteOrderMark, createReviewCsv } from "../../domain/review/review-csv.ts";
import type { ReviewFilter } from "../../domain/review/review-filter.ts";
import { streamTexts } from "../../http/text-stream.ts";
import { dayOf } from "../../lib/timestamp.ts";
import { type FeedPage, type FeedReview, readFeedPage } from "../../read/reviews/review-feed.ts";
import { watchApps } from "../../use-cases/apps/watch-apps.ts";
import { listChosenApps, resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import type { ExportRoutes } from "./contract.ts";
import { feedExport } from "./feed-export.ts";
import { exportReviews } from "./operations.ts";

const { operate } = routesOf<ExportRoutes>();

export const exportRoutes: readonly DashboardRoute[] = [
  operate(
    "GET /workspaces/:workspace/reviews/export",
    exportReviews,
    async (_, { deps, workspaceId, query: { format, ...chosen } }) => {
      const filters = resolveDates(chosen, deps.clock.now());
      const fileName = `reviews-${dayOf(deps.clock.now())}`;
      return streamExport(deps, { workspaceId, filters, format, fileName });
    },
    { query: feedExport, toInput: checkExport },
  ),
];

type ExportQuery = z.infer<typeof feedExport>;

/** @throws AppError `not_found` for a foreign app: nothing leaves, and nothing is recorded */
async function checkExport({
  deps,
  workspaceId,
  query,
}: {
  deps: Pick<DashboardDeps, "clock" | "database">;
  workspaceId: string;
  query: ExportQuery;
}): Promise<ExportQuery> {
  const { format: _, ...chosen } = query;
  const filters = resolveDates(chosen, deps.clock.now());
  await listChosenApps(deps.database, { workspaceId, filters });
  return query;
}

type ExportFormat = "csv" | "jsonl";

const pageSize = 100;

/**
 * The first page is read before the response begins, so that an invalid request gets a problem document.
 *
 * @throws AppError `not_found` for a foreign app
 */
export async function streamExport(
  deps: Pick<DashboardDeps, "database">,
  query: { workspaceId: string; filters: ReviewFilter; format: ExportFormat; fileName: string },
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
