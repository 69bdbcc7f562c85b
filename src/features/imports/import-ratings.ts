// Imports daily rating snapshots of the whole app, or by storefront. A day counts once, so all days of a file fit into
// memory, and the rating-drop rule is evaluated once for the file.
import type { Database } from "../../database/database.ts";
import type { IngestRatings } from "../../ingest/ingest-batch.ts";
import { createRatingAveragesIngest } from "../../ingest/ingest-rating-averages.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Day } from "../../lib/timestamp.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { ensurePrivateListing } from "../../use-cases/apps/private-listing.ts";
import { ratingNames } from "./files/import-names.ts";
import { type ImportedRating, snapshotRowSchema } from "./files/import-row.ts";
import { readImportFile, requireFields } from "./files/import-rows.ts";
import { importRatingAverages, isRatingAverages } from "./import-rating-averages.ts";
import { emptyResult, type ImportInput, type ImportResult, takeRows } from "./import-result.ts";

export type ImportRatingsDeps = {
  clock: Clock;
  database: Pick<Database, "findApp" | "transaction">;
  ingestRatings: IngestRatings;
};

/** @throws AppError `invalid_input` when the file can't hold ratings, `not_found` without such an app */
export async function importRatings(
  deps: ImportRatingsDeps,
  input: ImportInput,
): Promise<ImportResult> {
  const { appId: id, workspaceId } = input;
  const app = await requireApp(deps.database, { id, workspaceId });
  const file = await readImportFile(input.source);
  if (isRatingAverages(file)) return importRatingAverages(deps, { app, file });
  const { columnNames } = input.source;
  const needed = ["date", "average", "total"];
  requireFields(file.columns, { table: ratingNames, columnNames, needed });
  const schema = snapshotRowSchema({ now: deps.clock.now() });
  const result = emptyResult();
  const days = new Map<`${string} ${Day}`, ImportedRating>();
  for await (const rating of takeRows(file, { app, schema, columnNames, result })) {
    const key = `${rating.region} ${rating.day}` as const;
    const before = days.get(key);
    // The last row of a day counts, as if the rows had been imported one after the other.
    if (before) result[isSame(before, rating) ? "unchanged" : "updated"] += 1;
    days.set(key, rating);
  }
  if (days.size === 0) return result;
  const { id: listingId, ...listing } = await ensurePrivateListing(deps, app.id);
  const ratings = [...days.values()];
  const snapshots = ratings.flatMap(({ total, ...rating }) =>
    total === null ? [] : [{ ...rating, total }],
  );
  const saved = await deps.ingestRatings({ listing: { ...listing, id: listingId }, snapshots });
  const averages = ratings.filter(({ total }) => total === null);
  const alone = await createRatingAveragesIngest(deps)({ listingId, averages });
  result.inserted += saved.inserted + alone.inserted;
  result.updated += saved.updated + alone.updated;
  result.unchanged += saved.unchanged + averages.length - alone.inserted - alone.updated;
  result.queued += saved.queuedCount;
  return result;
}

function isSame(one: ImportedRating, other: ImportedRating): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
