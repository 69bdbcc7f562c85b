// The feed as a file: page after page while the reader takes it, so that memory stays the same however
// many reviews match.
import type { FeedFilters, FeedReview } from "../contract/reviews.ts";
import type { DashboardDeps } from "../deps.ts";
import { type FeedPage, readFeedPage } from "./review-feed.ts";

export type ExportFormat = "csv" | "jsonl";

const pageSize = 100;

/** The first page is read before the answer begins: what is refused is told as a problem. */
export async function streamExport(
  deps: DashboardDeps,
  wanted: { workspaceId: string; filters: FeedFilters; format: ExportFormat; fileName: string },
): Promise<Response> {
  const { workspaceId, filters, format } = wanted;
  const names = new Map(
    (await deps.database.listApps({ workspaceId })).map((app) => [app.id, app.name]),
  );
  // Evidence is for the screen, and costs more than all the rest.
  const quick = { ...deps, findEvidence: () => [] };
  const read = (after: FeedPage["last"]): Promise<FeedPage> =>
    readFeedPage(quick, { workspaceId, filters, after, limit: pageSize });
  let next: FeedPage | null = await read(null);
  let isBegun = false;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Pages of a search can be empty: on to the next until something is to be written.
        for (let text = ""; text === ""; ) {
          if (!isBegun && format === "csv") text = csvHeader;
          isBegun = true;
          if (next === null) {
            if (text !== "") controller.enqueue(encoder.encode(text));
            return controller.close();
          }
          text += writeReviews(next.reviews, { format, names });
          const { last }: FeedPage = next;
          next = last === null ? null : await read(last);
          if (text !== "") controller.enqueue(encoder.encode(text));
        }
      },
    },
    { highWaterMark: 0 },
  );
  const contentType = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
  const disposition = `attachment; filename="${wanted.fileName}.${format}"`;
  return new Response(body, {
    headers: { "Content-Type": contentType, "Content-Disposition": disposition },
  });
}

type Names = ReadonlyMap<string, string>;

function writeReviews(
  reviews: readonly FeedReview[],
  as: { format: ExportFormat; names: Names },
): string {
  const write = as.format === "csv" ? toCsvLine : toJsonLine;
  return reviews.map((review) => write(review, as.names)).join("");
}

const columns: readonly [name: string, value: (review: FeedReview, names: Names) => unknown][] = [
  ["id", (review) => review.id],
  ["app", (review, names) => names.get(review.appId)],
  ["store", (review) => review.store],
  ["date", (review) => review.date],
  ["rating", (review) => review.rating],
  ["title", (review) => review.title],
  ["text", (review) => review.text],
  ["translatedText", (review) => review.translatedText],
  ["translatedFrom", (review) => review.translatedFrom],
  ["author", (review) => review.author],
  ["version", (review) => review.version],
  ["country", (review) => review.country],
  ["language", (review) => review.language],
  ["sentiment", (review) => review.sentiment?.label],
  ["sentimentScore", (review) => review.sentiment?.score],
  ["topics", (review) => review.topics.map(({ name }) => name).join(" ")],
  ["editedAt", (review) => review.editedAt],
  ["reply", (review) => review.reply?.text],
];

const csvHeader = writeLine(columns.map(([name]) => name));

function toCsvLine(review: FeedReview, names: Names): string {
  return writeLine(columns.map(([, value]) => toCell(value(review, names))));
}

// A spreadsheet runs what begins like a formula, in wide letters too, and these are words of strangers.
function toCell(value: unknown): string {
  if (typeof value !== "string") return String(value ?? "");
  return /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
}

function writeLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(",")}\r\n`;
}

function toJsonLine(review: FeedReview, names: Names): string {
  const topics = review.topics.map(({ name }) => name);
  return `${JSON.stringify({ ...review, app: names.get(review.appId) ?? null, topics })}\n`;
}
