// Imports daily rating snapshots of the whole app. A day counts once, so all days of a file fit into
// memory, and the rating-drop rule is evaluated once for the file.
import type { Database } from "../../database/database.ts";
import { type ImportedSnapshot, snapshotRowSchema } from "../../domain/import-row.ts";
import type { IngestRatings } from "../../ingest/ingest-batch.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Day } from "../../lib/timestamp.ts";
import { requireApp } from "../apps/apps.ts";
import { ensurePrivateListing } from "../apps/private-listing.ts";
import { importRatingAverages, isRatingAverages } from "./import-rating-averages.ts";
import { emptyResult, type ImportInput, type ImportResult, takeRows } from "./import-result.ts";
import { readImportFile, requireColumns } from "./import-rows.ts";

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
  const app = await requireApp(deps.database, { field: "app", id, workspaceId });
  const file = await readImportFile(input.source);
  if (isRatingAverages(file)) return importRatingAverages(deps, { app, file });
  requireColumns(file.columns, ["date", "average", "total"]);
  const schema = snapshotRowSchema({ now: deps.clock.now() });
  const result = emptyResult();
  const days = new Map<Day, ImportedSnapshot>();
  for await (const snapshot of takeRows(file, { schema, result })) {
    const before = days.get(snapshot.day);
    // The last row of a day counts, as if the rows had been imported one after the other.
    if (before) result[isSame(before, snapshot) ? "unchanged" : "updated"] += 1;
    days.set(snapshot.day, snapshot);
  }
  if (days.size === 0) return result;
  const listing = await ensurePrivateListing(deps, app.id);
  const saved = await deps.ingestRatings({ listing, snapshots: [...days.values()] });
  result.inserted += saved.inserted;
  result.updated += saved.updated;
  result.unchanged += saved.unchanged;
  result.queued += saved.queuedCount;
  return result;
}

function isSame(one: ImportedSnapshot, other: ImportedSnapshot): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
