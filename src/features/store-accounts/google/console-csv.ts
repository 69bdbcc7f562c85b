// Parses a Play Console export of reviews: CSV in UTF-16 or UTF-8, its columns found by their names.

import { deserialize, serialize } from "node:v8";
import { reviewLimits, type SourceReview, textOrTitle } from "../../../domain/review/review.ts";
import { parseReviewLink } from "../../../domain/store/play-link.ts";
import { indexColumns, readCsvRows } from "../../../lib/csv-rows.ts";
import { readLines } from "../../../lib/text-lines.ts";
import { firstOfEach, toReply, toSourceReview } from "../../../stores/source-reviews.ts";
import { plausibleDate, sourceText, versionMax } from "../../../stores/source-text.ts";
import { languageOf } from "./api-reviews.ts";

export type ConsoleExport = {
  /** Newest edit first, `pageSize` on each page. */
  pages: Uint8Array[];
  rejectedCount: number;
};

/** For a thread that runs a function of this module. */
export const consoleCsvModule = import.meta.url;
export const pageSize = 500;
/** The limit for one month, which is held in memory. */
const exportReviewsMax = 200_000;

/** As pages that another thread returns at no cost; `readPage` reads one. null as for `parseConsoleCsv`. */
export async function parseConsolePages(
  chunks: AsyncIterable<Uint8Array>,
  packageName: string,
): Promise<ConsoleExport | null> {
  const parsed = await parseConsoleCsv(chunks, packageName);
  if (parsed === null) return null;
  const { reviews, rejectedCount } = parsed;
  const pages: Uint8Array[] = [];
  for (let at = 0; at < reviews.length; at += pageSize) {
    pages.push(serialize(reviews.slice(at, at + pageSize)));
  }
  return { pages, rejectedCount };
}

export function readPage(page: Uint8Array): SourceReview[] {
  // Written by `parseConsolePages`.
  return deserialize(page) as SourceReview[];
}

/** null: no export of reviews, or of more than can be held. */
export async function parseConsoleCsv(
  chunks: AsyncIterable<Uint8Array>,
  packageName: string,
): Promise<{ reviews: SourceReview[]; rejectedCount: number } | null> {
  let columns: ReadonlyMap<string, number> | null = null;
  const reviews: SourceReview[] = [];
  let rejectedCount = 0;
  for await (const row of readCsvRows(readLines(chunks))) {
    if (columns === null) {
      columns = "cells" in row ? indexColumns(row.cells) : null;
      if (!neededColumns.every((name) => columns?.has(name))) return null;
      continue;
    }
    const read = "cells" in row ? parseRow(readCells(columns, row.cells), packageName) : "rejected";
    if (read === "rejected") rejectedCount += 1;
    else if (read !== "rating only") reviews.push(read);
    if (reviews.length > exportReviewsMax) return null;
  }
  if (columns === null) return null;
  reviews.sort((one, other) => (other.date?.getTime() ?? 0) - (one.date?.getTime() ?? 0));
  return { reviews: firstOfEach(reviews), rejectedCount };
}

const neededColumns = ["package name", "star rating", "review link"];

/** The cell below the column of that name; "" without such a column. */
type Cells = (column: string) => string;

function readCells(columns: ReadonlyMap<string, number>, cells: readonly string[]): Cells {
  return (column) => cells[columns.get(column) ?? -1] ?? "";
}

function parseRow(cell: Cells, packageName: string): SourceReview | "rating only" | "rejected" {
  const link = cell("review link");
  const rating = cell("star rating").trim();
  if (cell("package name").trim() !== packageName || !/^[1-5]$/.test(rating)) return "rejected";
  // A rating without a review has no id; an invented one would count its author twice later.
  if (link.trim() === "") {
    const isRatingOnly = cell("review title").trim() === "" && cell("review text").trim() === "";
    return isRatingOnly ? "rating only" : "rejected";
  }
  const title = sourceText(cell("review title"), reviewLimits.textMax);
  const text = sourceText(cell("review text"), reviewLimits.textMax);
  const device = sourceText(cell("device"), reviewLimits.deviceMax);
  const submittedAt = dateOf(cell, "review submit");
  const raw = {
    id: parseReviewLink(link),
    author: "",
    rating: Number(rating),
    text: textOrTitle(text, title),
    version:
      sourceText(cell("app version name"), versionMax) ||
      sourceText(cell("app version code"), versionMax),
    languageHint: languageOf(cell("reviewer language").trim()),
    date: dateOf(cell, "review last update"),
    reply: toReply(cell("developer reply text"), dateOf(cell, "developer reply")),
    ...(device === "" ? {} : { device }),
    ...(submittedAt === null ? {} : { submittedAt }),
  };
  return toSourceReview(raw, isWholeId) ?? "rejected";
}

/** A file that breaks off may end in the middle of a link. */
function isWholeId(id: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) || /^gp:[\w-]{40,}$/.test(id);
}

/** Milliseconds where there is such a column; the other one has whole seconds. */
function dateOf(cell: Cells, column: string): Date | null {
  const ms = cell(`${column} millis since epoch`).trim();
  if (/^\d{10,14}$/.test(ms)) return plausibleDate(Number(ms), reviewLimits.yearMin);
  const iso = cell(`${column} date and time`).trim();
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(iso)) return null;
  return plausibleDate(Date.parse(iso), reviewLimits.yearMin);
}
