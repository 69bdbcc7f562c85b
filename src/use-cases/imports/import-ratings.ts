// Imports daily rating snapshots of the whole app. A day counts once, so all days of a file fit into
// memory, and whether the newest is a rating drop is asked once for the file.

import type { Database } from "../../database/database.ts";
import type { IngestRatings } from "../../ingest/ingest-batch.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Day } from "../../lib/timestamp.ts";
import { requireApp } from "../apps/apps.ts";
import { ensurePrivateListing } from "../apps/private-listing.ts";
import { emptyResult, type ImportInput, type ImportResult, rejectRow } from "./import-result.ts";
import { readImportFile } from "./import-rows.ts";
import { checkSnapshotColumns, type ImportedSnapshot, readSnapshotRow } from "./snapshot-row.ts";

type Rooms = {
  clock: Clock;
  database: Pick<Database, "findApp" | "transaction">;
  ingestRatings: IngestRatings;
};

export async function importRatings(deps: Rooms, choice: ImportInput): Promise<ImportResult> {
  const { appId: id, workspaceId } = choice;
  const app = await requireApp(deps.database, { field: "app", id, workspaceId });
  const file = await readImportFile(choice.source);
  checkSnapshotColumns(file.columns);
  const result = emptyResult();
  const days = new Map<Day, ImportedSnapshot>();
  for await (const row of file.rows) {
    const as = { format: file.format, now: deps.clock.now() };
    const read = "fields" in row ? readSnapshotRow(row.fields, as) : row;
    if ("reason" in read) {
      rejectRow(result, { line: row.line, reason: read.reason });
      continue;
    }
    const { snapshot } = read;
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
