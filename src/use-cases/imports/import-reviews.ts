// Imports a file of reviews into an app: row by row, in constant memory, in the file's order. Good rows
// are saved whatever the others are.

import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import {
  describeRowErrors,
  playConsoleRowSchema,
  reviewRowSchema,
  starsWithoutReview,
} from "../../domain/import-row.ts";
import type { App, Listing } from "../../domain/listing.ts";
import type { SourceReview } from "../../domain/review.ts";
import { storeTraits } from "../../domain/store-traits.ts";
import type { IngestReviews } from "../../ingest/ingest-batch.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import { messageOf } from "../../lib/errors.ts";
import { requireApp } from "../apps/apps.ts";
import { ensurePrivateListing } from "../apps/private-listing.ts";
import {
  emptyResult,
  hasAccepted,
  type ImportInput,
  type ImportResult,
  rejectRow,
} from "./import-result.ts";
import {
  type Fields,
  type ImportFile,
  readImportFile,
  requireColumns,
  unreadableFile,
} from "./import-rows.ts";

// Small enough for a short transaction, large enough that the cost of a transaction does not matter.
const batchSize = 1_000;

export type ImportReviewsDeps = {
  clock: Clock;
  database: Pick<Database, "findApp" | "transaction">;
  ingestReviews: IngestReviews;
  /** Between tries of a batch while the database is away; the real one by default. */
  delay?: Delay;
};

/**
 * @param input.notify whether rows count as first seen now, and are announced whatever their date
 * @throws AppError `invalid_input` when the file can't hold reviews, `not_found` without such an app
 */
export async function importReviews(
  deps: ImportReviewsDeps,
  input: ImportInput & {
    notify: boolean;
    /** Called after every batch with the rows read so far. */
    onProgress?: (rowCount: number) => void;
  },
): Promise<ImportResult> {
  const { appId: id, workspaceId } = input;
  const app = await requireApp(deps.database, { field: "app", id, workspaceId });
  const file = await readImportFile(input.source);
  const parseRow = createReviewParser(file, { app, now: deps.clock.now() });
  const result = emptyResult();
  const batches = createBatches(deps, { app, notify: input.notify, result });
  let batch = new Map<string, SourceReview>();
  let rowCount = 0;
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = new Map();
    if (full.size > 0) await batches.add([...full.values()]);
    input.onProgress?.(rowCount);
  };
  const readAll = async (): Promise<void> => {
    for await (const row of file.rows) {
      rowCount += 1;
      const parsed = "fields" in row ? parseRow(row.fields) : row;
      if ("reason" in parsed) {
        rejectRow(result, { line: row.line, reason: parsed.reason });
        if (parsed.reason === starsWithoutReview) result.starsOnly = (result.starsOnly ?? 0) + 1;
        continue;
      }
      // The same id again is an edit of the row before, and a batch holds each review once.
      if (batch.has(parsed.review.storeReviewId)) await flush();
      batch.set(parsed.review.storeReviewId, parsed.review);
      if (batch.size >= batchSize) await flush();
    }
    await flush();
  };
  return endWithResult(result, { work: readAll, end: batches.end });
}

/** What was kept is said, whatever ends the import: its failure is part of the result. */
async function endWithResult(
  result: ImportResult,
  { work, end }: { work: () => Promise<void>; end: () => Promise<void> },
): Promise<ImportResult> {
  try {
    await work();
    await end();
    return result;
  } catch (error) {
    // A batch may still be on its way; its own failure is no other than this one.
    await end().catch(() => {});
    if (!hasAccepted(result)) throw error;
    const message = messageOf(error);
    const reason = error instanceof AppError ? message : `internal error: ${message}`;
    return { ...result, stopped: { reason } };
  }
}

export type ParsedReview = { review: SourceReview } | { reason: string };

// Enough to tell a Play Console export from any other CSV.
const playConsoleColumns = ["package name", "star rating", "review text", "review link"];

/** @throws AppError `invalid_input` when the columns of a CSV can't hold reviews of the app */
export function createReviewParser(
  { format, columns }: Pick<ImportFile, "format" | "columns">,
  { app, now }: { app: Pick<App, "store" | "externalAppId">; now: Date },
): (fields: Fields) => ParsedReview {
  const isPlayConsole = playConsoleColumns.every((name) => columns?.includes(name));
  if (isPlayConsole && !storeTraits[app.store].hasPlayConsole) {
    throw unreadableFile("a Play Console export belongs to a googleplay app");
  }
  if (!isPlayConsole) requireColumns(columns, ["id", "rating", "date"]);
  const schema = isPlayConsole
    ? playConsoleRowSchema({ now, packageName: app.externalAppId })
    : reviewRowSchema({ now, isText: format === "csv" });
  return (fields) => {
    const { data: review, error } = schema.safeParse(fields);
    return error ? { reason: describeRowErrors(error) } : { review };
  };
}

type Batches = {
  /** Resolves when the batch before is saved: one is saved while the next one is read. */
  add(reviews: readonly SourceReview[]): Promise<void>;
  /** Resolves when all batches are saved. */
  end(): Promise<void>;
};

function createBatches(
  deps: ImportReviewsDeps,
  target: { app: Pick<App, "id" | "workspaceId">; notify: boolean; result: ImportResult },
): Batches {
  let listing: Listing | null = null;
  let saving: Promise<void> = Promise.resolve();
  return {
    async add(reviews) {
      // Only now: a file without a good row must not fork the listing. Later calls only check that the
      // app still exists, because a lock would wait for the batch that is being saved.
      listing = await retryUnavailable(deps, async () => {
        if (!listing) return ensurePrivateListing(deps, target.app.id);
        await requireApp(deps.database, { field: "app", ...target.app });
        return listing;
      });
      const saved = saveBatch(deps, { ...target, listing, reviews });
      const before = saving;
      saving = saved;
      // The next `add` or `end` throws this failure; until then it must not count as unhandled.
      saved.catch(() => {});
      await before;
    },
    end: () => saving,
  };
}

async function saveBatch(
  deps: ImportReviewsDeps,
  batch: {
    listing: Listing;
    reviews: readonly SourceReview[];
    notify: boolean;
    result: ImportResult;
  },
): Promise<void> {
  const { listing, reviews, notify, result } = batch;
  const saved = await retryUnavailable(deps, () =>
    deps.ingestReviews({
      listing,
      reviews,
      source: "import",
      notifyPolicy: { kind: notify ? "always" : "never" },
      undatedAt: null,
    }),
  );
  result.inserted += saved.newCount;
  result.updated += saved.editedCount + saved.metadataChangedCount;
  result.unchanged += saved.unchangedCount;
  result.queued += saved.queuedCount;
}

/** In all a minute: a server that starts again is back by then. */
const retryDelaysMs = [1_000, 4_000, 10_000, 20_000, 25_000];

/** For steps that happen as a whole or not at all, so that they can be tried again. */
async function retryUnavailable<T>(
  { delay = systemDelay }: Pick<ImportReviewsDeps, "delay">,
  save: () => Promise<T>,
): Promise<T> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await save();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
      await delay(delayMs);
    }
  }
  return save();
}
