// The rows of an import file, JSONL or CSV: each as fields by name with the line it begins on, or the
// reason why it is none. Nothing in a row can stop the rest.
import path from "node:path";
import { AppError } from "../../domain/error.ts";
import { readCsvRows } from "../../lib/csv-rows.ts";
import { type Line, lineBytesMax, readLines } from "../../lib/text-lines.ts";

export type ImportRow =
  | { line: number; fields: Fields }
  /** Why this is no row, in words. */
  | { line: number; reason: string };

/** Values by name. In CSV all of them are text, and an empty cell is no value. */
export type Fields = Readonly<Record<string, unknown>>;

export type ImportFormat = "jsonl" | "csv";

/** A file to import: its bytes, and its name for the ending. */
export type ImportSource = { name: string; chunks: AsyncIterable<Uint8Array> };

export type ImportFile = {
  format: ImportFormat;
  /** The column names of a CSV in lower case; null for JSONL. */
  columns: readonly string[] | null;
  rows: AsyncIterable<ImportRow>;
};

/** @throws AppError `invalid_input` when there is no telling what the rows mean */
export async function readImportFile(source: ImportSource): Promise<ImportFile> {
  const lines = readLines(source.chunks);
  // The first line with something on it says what the file is.
  let head = await lines.next();
  while (!head.done && head.value.text?.trim() === "") head = await lines.next();
  const first = head.done ? null : head.value;
  const all = rejoin(first, lines);
  if (formatOf(source.name, first) === "jsonl") {
    return { format: "jsonl", columns: null, rows: readJsonRows(all) };
  }
  return openCsv(all);
}

function formatOf(name: string, first: Line | null): ImportFormat {
  const ending = path.extname(name).toLowerCase();
  if (ending === ".csv") return "csv";
  if ([".jsonl", ".ndjson", ".json"].includes(ending)) return "jsonl";
  return first === null || first.text?.trimStart().startsWith("{") ? "jsonl" : "csv";
}

async function* rejoin(first: Line | null, rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  if (first) yield first;
  yield* rest;
}

async function* readJsonRows(lines: AsyncIterable<Line>): AsyncGenerator<ImportRow> {
  for await (const { number, text } of lines) {
    if (text === null) {
      yield { line: number, reason: `the line is longer than ${lineBytesMax} bytes` };
    } else if (text.trim() !== "") {
      const fields = parseObject(text);
      yield fields
        ? { line: number, fields }
        : { line: number, reason: "the line is not a JSON object" };
    }
  }
}

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // The row's reason says it; where in the line the parser gave up helps nobody.
    return null;
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function openCsv(lines: AsyncIterable<Line>): Promise<ImportFile> {
  const rows = readCsvRows(lines);
  const head = await rows.next();
  if (head.done) return { format: "csv", columns: [], rows: noRows() };
  if ("fault" in head.value) {
    throw unreadableFile(`the header in line ${head.value.line} can't be read: ${head.value.fault}`);
  }
  const columns = head.value.cells.map((name) => name.trim().toLowerCase());
  const twice = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (twice !== undefined) throw unreadableFile(`the header names the column ${twice} twice`);
  return { format: "csv", columns, rows: nameCells(rows, columns) };
}

async function* noRows(): AsyncGenerator<ImportRow> {}

async function* nameCells(
  rows: AsyncIterable<{ line: number } & ({ cells: string[] } | { fault: string })>,
  columns: readonly string[],
): AsyncGenerator<ImportRow> {
  for await (const row of rows) {
    if ("fault" in row) yield { line: row.line, reason: row.fault };
    else yield nameRow(row, columns);
  }
}

function nameRow(
  row: { line: number; cells: readonly string[] },
  columns: readonly string[],
): ImportRow {
  const { line, cells } = row;
  if (cells.slice(columns.length).some((cell) => cell !== "")) {
    const reason = `the row has ${cells.length} cells, the header ${columns.length}`;
    return { line, reason };
  }
  const named = columns.map((name, index): [string, string] => [name, cells[index] ?? ""]);
  return { line, fields: Object.fromEntries(named.filter(([, cell]) => cell !== "")) };
}

/** An unreadable file is no wrong option, so no field is named. */
export function unreadableFile(reason: string): AppError {
  return new AppError("invalid_input", `the file can't be imported: ${reason}`);
}
