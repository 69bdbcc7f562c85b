// Imports a Play Console export of ratings: averages by day, of the whole app or by country, without their number.

import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { RatingAverage } from "../../domain/review/rating-average.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { createRatingAveragesIngest } from "../../ingest/ingest-rating-averages.ts";
import type { Clock } from "../../lib/clock.ts";
import { ensurePrivateListing } from "../../use-cases/apps/private-listing.ts";
import { type ImportFile, unreadableFile } from "./files/import-file.ts";
import { plainName } from "./files/import-names.ts";
import { ratingAverageColumns, ratingAverageRowSchema } from "./files/rating-average-row.ts";
import { emptyResult, type ImportResult, takeRows } from "./import-result.ts";

export function isRatingAverages({ columns }: ImportFile): boolean {
  const names = new Set(columns?.map(plainName));
  return ratingAverageColumns.every((name) => names.has(name));
}

/** @throws AppError `invalid_input` for an app of another store, `not_found` when it is gone */
export async function importRatingAverages(
  deps: { clock: Clock; database: Pick<Database, "transaction"> },
  { app, file }: { app: App; file: ImportFile },
): Promise<ImportResult> {
  if (!storeTraits[app.store].hasPlayConsole) {
    throw unreadableFile("a Play Console export belongs to a googleplay app");
  }
  const schema = ratingAverageRowSchema({ now: deps.clock.now() });
  const result = emptyResult();
  const averages = new Map<string, RatingAverage>();
  let rowCount = 0;
  for await (const average of takeRows(file, { app, schema, result })) {
    rowCount += 1;
    averages.set(`${average.region} ${average.day}`, average);
  }
  if (rowCount === 0) return result;
  const listing = await ensurePrivateListing(deps, app.id);
  const saved = await createRatingAveragesIngest(deps)({
    listingId: listing.id,
    averages: [...averages.values()],
  });
  return { ...result, ...saved, unchanged: rowCount - saved.inserted - saved.updated };
}
