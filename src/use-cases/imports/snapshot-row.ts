// One row of a ratings import as the whole app's snapshot of one day.
import type { Histogram, Snapshot } from "../../domain/snapshot.ts";
import { FieldReader } from "./import-fields.ts";
import { type Fields, type ImportFormat, isObject, unreadableFile } from "./import-rows.ts";

export type ImportedSnapshot = Omit<Snapshot, "listingId">;

export type ReadSnapshot = { snapshot: ImportedSnapshot } | { reason: string };

/** @throws AppError `invalid_input` when the columns of a CSV can't hold snapshots */
export function checkSnapshotColumns(columns: readonly string[] | null): void {
  const missing = columns === null ? [] : requiredNames.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw unreadableFile(`the header lacks the column ${missing.join(", ")}`);
}

const requiredNames = ["date", "average", "total"];
const starNames = ["1", "2", "3", "4", "5"];
// How far a histogram may miss the total: stores refresh the two apart from each other.
const mismatchMax = 0.005;
// Far above any app's ratings, and well inside what counts can hold exactly.
const countMax = 1_000_000_000_000;

const count = {
  what: "a whole number from 0 up",
  isRight: (value: number) => Number.isInteger(value) && value >= 0 && value <= countMax,
};

export function readSnapshotRow(
  fields: Fields,
  as: { format: ImportFormat; now: Date },
): ReadSnapshot {
  const read = new FieldReader(fields, as.format);
  const day = read.day("date", as.now);
  const total = read.number("total", count);
  const average = read.number("average", {
    what: total === 0 ? "0 where there are no ratings" : "a number from 1 to 5",
    isRight: (value) => (total === 0 ? value === 0 : value >= 1 && value <= 5),
  });
  if (read.faults.length > 0) return { reason: read.faults.join("; ") };
  const histogram = readHistogram(fields, as.format);
  if (histogram === "faulty") {
    return { reason: 'histogram must hold a whole number for each of "1" to "5"' };
  }
  if (histogram !== null && !addsUp(histogram, total)) {
    return { reason: `the histogram does not add up to the total of ${total}` };
  }
  return { snapshot: { region: "", day, average, total, histogram } };
}

/** `{ "1": n, … }`; a CSV has a column for each, or the same JSON in one cell. null when not given. */
function readHistogram(fields: Fields, format: ImportFormat): Histogram | null | "faulty" {
  const stated = format === "csv" ? histogramOfCells(fields) : fields["histogram"];
  if (stated === undefined || stated === null) return null;
  if (!isObject(stated)) return "faulty";
  const read = new FieldReader(stated, format);
  const counts = starNames.map((name) => read.number(name, count));
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = counts;
  const isRight = read.faults.length === 0 && Object.keys(stated).length === starNames.length;
  return isRight ? [one, two, three, four, five] : "faulty";
}

function histogramOfCells(fields: Fields): unknown {
  const cell = fields["histogram"];
  if (typeof cell === "string") return parseCell(cell);
  const named = starNames.filter((name) => fields[name] !== undefined);
  if (named.length === 0) return null;
  return Object.fromEntries(named.map((name) => [name, fields[name]]));
}

function parseCell(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    // Text is no histogram: the row's reason says what one is.
    return cell;
  }
}

function addsUp(histogram: Histogram, total: number): boolean {
  const counted = histogram.reduce((sum, stars) => sum + stars, 0);
  return Math.abs(counted - total) <= total * mismatchMax;
}
