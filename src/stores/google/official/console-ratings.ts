// The Play Console exports of an app's ratings in its owner's bucket: averages by day, a CSV for each month. Months
// that are known are passed over; the last two still change.
import { judgeStatements } from "../../../domain/app-naming.ts";
import { createFieldReader } from "../../../domain/field-reader.ts";
import { plainName, ratingNames } from "../../../domain/import-names.ts";
import {
  type RatingAverage,
  ratingAverageColumns,
  ratingAverageRowSchema,
} from "../../../domain/rating-average-row.ts";
import type { Clock } from "../../../lib/clock.ts";
import { csvColumnsMax, readCsvRows } from "../../../lib/csv-rows.ts";
import { readLines } from "../../../lib/text-lines.ts";
import type { Fetched, Store } from "../../store.ts";
import type { ConsoleBucket, SeenFiles } from "./console-bucket.ts";

/** A row for each day of a month. */
const fileBytesMax = 64 * 1024;
const daysMax = 31;
/** Files of one reading: the rest of a long history comes a day later. */
const fileCountMax = 60;

export async function readConsoleRatings(
  source: { bucket: ConsoleBucket; seen: SeenFiles; clock: Clock },
  request: Parameters<NonNullable<Store["readRatingAverages"]>>[0],
): Promise<Fetched<null>> {
  const { bucket, seen, clock } = source;
  const { externalAppId: packageName, knownMonths, save } = request;
  const months = await bucket.listMonths(`stats/ratings/ratings_${packageName}_`, "_overview.csv");
  if ("outcome" in months) return months;
  const unread = months
    .filter(({ month }, index) => index < 2 || !knownMonths.has(month))
    .filter(({ path, version }) => seen.get(path) !== version)
    .slice(0, fileCountMax);
  for (const file of unread) {
    const read = await bucket.read(file, {
      bodyBytesMax: fileBytesMax,
      expected: "an export of ratings",
      parse: (chunks) => parseRatingsCsv(chunks, { packageName, now: clock.now() }),
    });
    if ("outcome" in read) return read;
    if (read.length > 0) await save(read);
    seen.set(file.path, file.version);
  }
  return { outcome: "ok", value: null };
}

/** null: no export of ratings of a month. Days without ratings have no average, and are left out. */
async function parseRatingsCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: { packageName: string; now: Date },
): Promise<RatingAverage[] | null> {
  const schema = ratingAverageRowSchema(options);
  const readFields = createFieldReader(ratingNames);
  const app = { store: "googleplay", externalAppId: options.packageName } as const;
  const byDay = new Map<string, RatingAverage>();
  let columns: readonly string[] | null = null;
  for await (const row of readCsvRows(readLines(chunks))) {
    const cells = "cells" in row ? row.cells : [];
    if (columns === null) {
      columns = cells;
      const names = new Set(cells.slice(0, csvColumnsMax).map(plainName));
      if (!ratingAverageColumns.every((name) => names.has(name))) return null;
      continue;
    }
    const named = columns.map((name, index): [string, string] => [name, cells[index] ?? ""]);
    const { fields, statements } = readFields(Object.fromEntries(named));
    if (judgeStatements(app, statements).kind === "foreign") continue;
    const { data } = schema.safeParse(fields);
    if (data?.region === "") byDay.set(data.day, data);
    if (byDay.size > daysMax) return null;
  }
  return columns === null ? null : [...byDay.values()];
}
