// Imports a file of reviews into an app: row by row, in constant memory, in the file's order. Good rows
// are saved whatever the others are.

import type { Database } from "../../database/database.ts";
import { digestScheduleFields } from "../../domain/digest-rhythm.ts";
import { AppError } from "../../domain/error.ts";
import type { ImportRowOptions } from "../../domain/import-fields.ts";
import { findMissingFields, renameFields } from "../../domain/import-names.ts";
import {
  type ParsedReview,
  parseReviewRow,
  playConsoleRowSchema,
  reviewRowSchema,
  starsWithoutReview,
} from "../../domain/import-row.ts";
import type { App, Listing } from "../../domain/listing.ts";
import type { SourceReview } from "../../domain/review.ts";
import { storeTraits } from "../../domain/store-traits.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { assignIds, diffReviews } from "../../ingest/diff-reviews.ts";
import { placeEarlierVersions } from "../../ingest/earlier-versions.ts";
import type { IngestReviews } from "../../ingest/ingest-batch.ts";
import { countChanges } from "../../ingest/ingest-reviews.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import { messageOf } from "../../lib/errors.ts";
import { requireApp } from "../apps/apps.ts";
import { ensurePrivateListing } from "../apps/private-listing.ts";
import { eraseReview } from "../privacy/erase-review.ts";
import {
  emptyResult,
  hasAccepted,
  type ImportInput,
  type ImportResult,
  rejectRow,
  warnOfRow,
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
  database: Pick<
    Database,
    "findApp" | "findListing" | "loadReviews" | "loadReviewVersions" | "transaction"
  >;
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
    /** The zone of dates without one, by its name in the IANA database; UTC by default. */
    timeZone?: string | undefined;
    /** Compare with what is stored, and save nothing. */
    isTrial?: boolean;
    /** Called after every batch with the rows read so far. */
    onProgress?: (rowCount: number) => void;
  },
): Promise<ImportResult> {
  const { appId: id, workspaceId, isTrial = false } = input;
  const timeZone = parseField(digestScheduleFields.timeZone.optional(), {
    field: "timeZone",
    value: input.timeZone,
  });
  const app = await requireApp(deps.database, { id, workspaceId });
  const file = await readImportFile(input.source);
  const parseRow = createReviewParser(file, { app, now: deps.clock.now(), timeZone });
  const result: ImportResult = { ...emptyResult(), ...(isTrial && { samples: [] }) };
  const ingestReviews = isTrial ? createTrial(deps) : deps.ingestReviews;
  const batches = createBatches({ ...deps, ingestReviews }, { app, notify: input.notify, result });
  // A batch holds each review once, so a review that the file has again waits for the next one.
  let rounds: Map<string, SourceReview>[] = [];
  let waitingCount = 0;
  let rowCount = 0;
  const flush = async (): Promise<void> => {
    const full = rounds;
    rounds = [];
    waitingCount = 0;
    for (const reviews of full) await batches.add([...reviews.values()]);
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
      if (parsed.warning !== undefined)
        warnOfRow(result, { line: row.line, reason: parsed.warning });
      const { storeReviewId: key } = parsed.review;
      const round = rounds.find((reviews) => !reviews.has(key)) ?? new Map<string, SourceReview>();
      if (round.size === 0) rounds.push(round);
      round.set(key, parsed.review);
      waitingCount += 1;
      if (waitingCount >= batchSize) await flush();
    }
    await flush();
  };
  return endWithResult(result, { work: readAll, batches });
}

/** The result reports saved rows however the import ends: its failure is part of the result. */
async function endWithResult(
  result: ImportResult,
  { work, batches }: { work: () => Promise<void>; batches: Batches },
): Promise<ImportResult> {
  try {
    await work();
    await batches.end();
    return result;
  } catch (error) {
    // A batch may still be on its way; it fails for the same reason.
    await batches.end().catch(() => {});
    if (!hasAccepted(result)) throw error;
    const message = messageOf(error);
    const reason = error instanceof AppError ? message : `internal error: ${message}`;
    return { ...result, stopped: { reason } };
  }
}

// Enough to distinguish a Play Console export from any other CSV.
const playConsoleColumns = ["package name", "star rating", "review text", "review link"];

/** @throws AppError `invalid_input` when the columns of a CSV can't hold reviews of the app */
export function createReviewParser(
  { columns }: Pick<ImportFile, "columns">,
  { app, ...options }: { app: Pick<App, "store" | "externalAppId"> } & ImportRowOptions,
): (fields: Fields) => ParsedReview {
  const isPlayConsole = playConsoleColumns.every((name) => columns?.includes(name));
  if (isPlayConsole && !storeTraits[app.store].hasPlayConsole) {
    throw unreadableFile("a Play Console export belongs to a googleplay app");
  }
  if (isPlayConsole) {
    const schema = playConsoleRowSchema({ ...options, packageName: app.externalAppId });
    return (fields) => parseReviewRow(schema, fields);
  }
  const missing = columns === null ? [] : findMissingFields(columns, ["id", "rating", "date"]);
  requireColumns(columns, missing);
  const schema = reviewRowSchema(options);
  return (fields) => parseReviewRow(schema, renameFields(fields));
}

type Batches = {
  /** Resolves when the batch before is saved: one is saved while the next one is read. */
  add(reviews: readonly SourceReview[]): Promise<void>;
  /** Resolves when all batches are saved. */
  end(): Promise<void>;
};

function createBatches(
  deps: ImportReviewsDeps,
  target: { app: App; notify: boolean; result: ImportResult },
): Batches {
  const { app, result } = target;
  let listing: Listing | null = null;
  let saving: Promise<void> = Promise.resolve();
  return {
    async add(reviews) {
      // Only now: a file without a good row must not fork the listing. Later calls only check that the
      // app still exists, because a lock would wait for the batch that is being saved.
      listing = await retryUnavailable(deps, async () => {
        if (listing) {
          await requireApp(deps.database, app);
          return listing;
        }
        const known = result.samples && (await deps.database.findListing(app.listingId));
        return known ?? ensurePrivateListing(deps, app.id);
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

/** In place of an ingest: compares with the stored reviews and saves nothing. A review that is twice in a file is compared twice. */
function createTrial({ database, clock }: ImportReviewsDeps): IngestReviews {
  return async (batch) => {
    const { listing, reviews } = batch;
    const now = clock.now();
    const identified = assignIds({ listing, reviews }, now);
    const ids = identified.map(({ id }) => id);
    const known = await database.loadReviews({ listingId: listing.id, ids });
    const byId = new Map(known.map((review) => [review.id, review]));
    const diff = diffReviews(batch, { identified, known: byId, now });
    const found = { listingId: listing.id, changes: diff, now };
    const counts = countChanges((await placeEarlierVersions(database, found)).changes);
    return { ...counts, queuedCount: 0, decision: null, isLeaseHeld: true };
  };
}

async function saveBatch(
  deps: ImportReviewsDeps,
  batch: {
    app: App;
    listing: Listing;
    reviews: readonly SourceReview[];
    notify: boolean;
    result: ImportResult;
  },
): Promise<void> {
  const { listing, reviews, notify, result } = batch;
  const notifyPolicy = { kind: notify ? "always" : "never" } as const;
  const ingested = { listing, reviews, source: "import", notifyPolicy, undatedAt: null } as const;
  const saved = await retryUnavailable(deps, () => deps.ingestReviews(ingested));
  if (!result.samples) await eraseKnown(deps, batch);
  result.samples?.push(...reviews.slice(0, 3 - result.samples.length));
  result.inserted += saved.newCount;
  result.updated += saved.editedCount + saved.metadataChangedCount - saved.lateCount;
  result.unchanged += saved.unchangedCount + saved.lateCount;
  if (saved.lateCount > 0) result.earlierVersions = (result.earlierVersions ?? 0) + saved.lateCount;
  result.queued += saved.queuedCount;
}

/** Reviews that were erased where the file was written, and whose text is stored here. */
async function eraseKnown(
  deps: ImportReviewsDeps,
  { app, listing, reviews }: { app: App; listing: Listing; reviews: readonly SourceReview[] },
): Promise<void> {
  const ids = reviews.flatMap(({ stored }) => stored?.erasedId ?? []);
  if (ids.length === 0) return;
  for (const { id, storeReviewId } of await deps.database.loadReviews({
    listingId: listing.id,
    ids,
  }))
    if (storeReviewId !== "")
      await eraseReview({ ...deps, actor: "import" }, { appId: app.id, reviewId: id });
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
