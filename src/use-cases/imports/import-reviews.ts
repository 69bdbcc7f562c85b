// Imports a file of reviews into an app: row by row, in constant memory, in the file's order. Good rows
// are kept whatever the others are.

import type { Database } from "../../database/database.ts";
import type { App, Listing } from "../../domain/listing.ts";
import type { SourceReview } from "../../domain/review.ts";
import type { IngestReviews } from "../../ingest/ingest-batch.ts";
import type { Clock } from "../../lib/clock.ts";
import { requireApp } from "../apps/apps.ts";
import { ensurePrivateListing } from "../apps/private-listing.ts";
import { emptyResult, type ImportInput, type ImportResult, rejectRow } from "./import-result.ts";
import { readImportFile } from "./import-rows.ts";
import { chooseReviewReader } from "./review-row.ts";

// Few enough that one transaction is short, many enough that transactions don't count.
const batchSize = 1_000;

type Rooms = {
  clock: Clock;
  database: Pick<Database, "findApp" | "transaction">;
  ingestReviews: IngestReviews;
};

/** @param choice.notify whether rows count as first seen now, and are announced whatever their date */
export async function importReviews(
  deps: Rooms,
  choice: ImportInput & {
    notify: boolean;
    /** Called after every batch with the rows read so far. */
    onProgress?: (rowCount: number) => void;
  },
): Promise<ImportResult> {
  const { appId: id, workspaceId } = choice;
  const app = await requireApp(deps.database, { field: "app", id, workspaceId });
  const file = await readImportFile(choice.source);
  const readRow = chooseReviewReader(file, app);
  const result = emptyResult();
  const batches = openBatches(deps, { app, notify: choice.notify, result });
  let batch = new Map<string, SourceReview>();
  let rowCount = 0;
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = new Map();
    if (full.size > 0) await batches.add([...full.values()]);
    choice.onProgress?.(rowCount);
  };
  for await (const row of file.rows) {
    rowCount += 1;
    const read = "fields" in row ? readRow(row.fields, deps.clock.now()) : row;
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
  await batches.end();
  return result;
}

type Batches = {
  /** Resolves when the batch before is saved: one is saved while the next one is read. */
  add(reviews: readonly SourceReview[]): Promise<void>;
  end(): Promise<void>;
};

function openBatches(
  deps: Rooms,
  into: { app: Pick<App, "id" | "workspaceId">; notify: boolean; result: ImportResult },
): Batches {
  let listing: Listing | null = null;
  let saving: Promise<void> = Promise.resolve();
  return {
    async add(reviews) {
      // Only now: a file without a good row must not fork the listing. Later it holds no lock, which
      // would wait for the batch that is being saved.
      if (listing) await requireApp(deps.database, { field: "app", ...into.app });
      else listing = await ensurePrivateListing(deps, into.app.id);
      const saved = saveBatch(deps, { ...into, listing, reviews });
      const before = saving;
      saving = saved;
      // Whoever awaits it hears of a failure; until then nobody is to call it unheard.
      saved.catch(() => {});
      await before;
    },
    end: () => saving,
  };
}

async function saveBatch(
  deps: Rooms,
  imported: {
    listing: Listing;
    reviews: readonly SourceReview[];
    notify: boolean;
    result: ImportResult;
  },
): Promise<void> {
  const { listing, reviews, notify, result } = imported;
  const announce = notify ? "all" : "none";
  const saved = await deps.ingestReviews({
    listing,
    reviews,
    source: "import",
    announce,
    undatedAt: null,
  });
  result.inserted += saved.newCount;
  result.updated += saved.editedCount + saved.metadataChangedCount;
  result.unchanged += saved.unchangedCount;
  result.queued += saved.queuedCount;
}
