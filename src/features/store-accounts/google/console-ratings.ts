// The Play Console exports of an app's ratings in its owner's bucket: averages by day, a CSV for each month. Months
// that are known are passed over; the last two still change.
import { averageOf, type RatingAverage } from "../../../domain/review/rating-average.ts";
import { plausibleReviewDate } from "../../../domain/review/review.ts";
import type { Clock } from "../../../lib/clock.ts";
import { indexColumns, readCsvRows } from "../../../lib/csv-rows.ts";
import { readLines } from "../../../lib/text-lines.ts";
import { isDay } from "../../../lib/timestamp.ts";
import type { Fetched, Store } from "../../../stores/store.ts";
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
  const { packageName, now } = options;
  const byDay = new Map<string, RatingAverage>();
  let columns: ReadonlyMap<string, number> | null = null;
  for await (const row of readCsvRows(readLines(chunks))) {
    const cells = "cells" in row ? row.cells : [];
    if (columns === null) {
      columns = indexColumns(cells);
      if (!neededColumns.every((name) => columns?.has(name))) return null;
      continue;
    }
    const cell = (name: string): string => (cells[columns?.get(name) ?? -1] ?? "").trim();
    const day = cell("date");
    const average = averageOf(cell("total average rating"));
    // An export by country has rows of a part of the app.
    const isWhole = cell("package name") === packageName && cell("country") === "";
    if (!isWhole || average === null || !isDay(day)) continue;
    if (plausibleReviewDate(new Date(day), now)) byDay.set(day, { region: "", day, average });
    if (byDay.size > daysMax) return null;
  }
  return columns === null ? null : [...byDay.values()];
}

const neededColumns = ["date", "package name", "total average rating"];
