// The review feed as a file, streamed page by page at the client's speed: memory does not grow with the number of
// matching reviews, and a review that is erased meanwhile is not in the pages that follow.
import { streamTexts } from "../../http/text-stream.ts";
import { formatCsvLine, neutralizeFormula } from "../../lib/csv-cell.ts";
import { watchApps } from "../../use-cases/apps/watch-apps.ts";
import { listChosenApps } from "../../use-cases/reviews/search-reviews.ts";
import type { FeedFilters } from "../contract/requests.ts";
import type { FeedReview } from "../contract/reviews.ts";
import type { DashboardDeps } from "../deps.ts";
import { type FeedPage, readFeedPage } from "./review-feed.ts";

export type ExportFormat = "csv" | "jsonl";

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
  const names = new Map(
    (await deps.database.listApps({ workspaceId })).map((app) => [app.id, app.name]),
  );
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
    if (format === "csv") yield csvHeader;
    for (let page = first; ; page = await read(page.last)) {
      yield formatReviews(page.reviews, { format, names });
      if (page.last === null) return;
    }
  }
  const contentType = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
  const disposition = `attachment; filename="${query.fileName}.${format}"`;
  return new Response(streamTexts(write()), {
    headers: { "Content-Type": contentType, "Content-Disposition": disposition },
  });
}

type Names = ReadonlyMap<string, string>;

function formatReviews(
  reviews: readonly FeedReview[],
  options: { format: ExportFormat; names: Names },
): string {
  const formatLine = options.format === "csv" ? toCsvLine : toJsonLine;
  return reviews.map((review) => formatLine(review, options.names)).join("");
}

const columns = `
  id app store date rating title text translatedText translatedFrom author version country
  language sentiment sentimentScore topics topicScores editedAt reply
`
  .trim()
  .split(/\s+/);

const csvHeader = formatCsvLine(columns);

function toCsvLine(review: FeedReview, names: Names): string {
  const { sentiment, topics } = review;
  const scores = topics.map(({ score }) => score ?? "");
  const row: Readonly<Record<string, unknown>> = {
    ...review,
    app: names.get(review.appId),
    sentiment: sentiment?.label,
    sentimentScore: sentiment?.score,
    topics: topics.map(({ name }) => name).join(" "),
    topicScores: scores.join(" ").trim(),
    reply: review.reply?.text,
  };
  return formatCsvLine(columns.map((name) => toCell(row[name])));
}

function toCell(value: unknown): string {
  return typeof value === "string" ? neutralizeFormula(value) : String(value ?? "");
}

function toJsonLine(review: FeedReview, names: Names): string {
  const topics = review.topics.map(({ name }) => name);
  const topicScores = review.topics.map(({ score }) => score);
  const app = names.get(review.appId) ?? null;
  return `${JSON.stringify({ ...review, app, topics, topicScores })}\n`;
}
