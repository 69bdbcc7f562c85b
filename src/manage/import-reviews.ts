// Imports a file of reviews into an app: row by row, in constant memory, in the file's order. Good rows
// are kept whatever the others are.
import type { Ingest } from "../collect/ingest.ts";
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { SourceReview } from "../reviews/review.ts";
import { requireApp } from "./apps.ts";
import { emptyResult, type ImportChoice, type ImportResult, rejectRow } from "./import-result.ts";
import { openImportFile } from "./import-rows.ts";
import { ensurePrivateListing } from "./private-listing.ts";
import { chooseReviewReader } from "./review-row.ts";

// Few enough that one transaction is short, many enough that transactions don't count.
const batchSize = 500;

type Rooms = {
  clock: Clock;
  keep: Pick<Keep, "findApp" | "transaction">;
  ingest: Ingest;
};

/** @param choice.notify whether rows count as first seen now, and are announced whatever their date */
export async function importReviews(
  rooms: Rooms,
  choice: ImportChoice & {
    notify: boolean;
    /** Called after every batch with the rows read so far. */
    onProgress?: (rowCount: number) => void;
  },
): Promise<ImportResult> {
  const { appId: id, workspaceId } = choice;
  const app = await requireApp(rooms.keep, { field: "app", id, workspaceId });
  const file = await openImportFile(choice.source);
  const readRow = chooseReviewReader(file, app);
  const result = emptyResult();
  const batch = new Map<string, SourceReview>();
  let rowCount = 0;
  const flush = async (): Promise<void> => {
    if (batch.size === 0) return;
    await importBatch(rooms, { appId: app.id, batch, notify: choice.notify, result });
    batch.clear();
    choice.onProgress?.(rowCount);
  };
  for await (const row of file.rows) {
    rowCount += 1;
    const read = "fields" in row ? readRow(row.fields, rooms.clock.now()) : row;
    if ("reason" in read) {
      rejectRow(result, { line: row.line, reason: read.reason });
      continue;
    }
    // The same id again is an edit of the row before, and a batch holds each review once.
    if (batch.has(read.review.storeReviewId)) await flush();
    batch.set(read.review.storeReviewId, read.review);
    if (batch.size >= batchSize) await flush();
  }
  await flush();
  return result;
}

async function importBatch(
  rooms: Rooms,
  imported: {
    appId: string;
    batch: ReadonlyMap<string, SourceReview>;
    notify: boolean;
    result: ImportResult;
  },
): Promise<void> {
  const { result } = imported;
  const saved = await rooms.ingest({
    // Asked for each batch: a file without a good row must not fork the listing.
    listing: await ensurePrivateListing(rooms, imported.appId),
    reviews: [...imported.batch.values()],
    source: "import",
    announce: imported.notify ? "all" : "none",
    undatedAt: null,
  });
  result.inserted += saved.newCount;
  result.updated += saved.editedCount + saved.restatedCount;
  result.unchanged += saved.unchangedCount;
  result.queued += saved.queuedCount;
}
