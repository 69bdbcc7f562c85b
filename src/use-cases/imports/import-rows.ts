// The rows of an import file, JSONL or CSV: each as fields by name with the line it begins on, or the
// reason why it is rejected. A bad row never affects the others.
import path from "node:path";
import { AppError } from "../../domain/error.ts";
import { csvColumnsMax, findSeparator, readCsvRows } from "../../lib/csv-rows.ts";
import { parseJson } from "../../lib/json.ts";
import { EncodingError, type Line, lineBytesMax, readLines } from "../../lib/text-lines.ts";

export type ImportRow =
  | { line: number; fields: Fields }
  /** Why the row is rejected, in words. */
  | { line: number; reason: string };

/** Values by name. In CSV all of them are text, and an empty cell is no value. */
export type Fields = Readonly<Record<string, unknown>>;

export type ImportFormat = "jsonl" | "csv";

/** A file to import: its bytes, and its name, whose extension can tell the format. */
export type ImportSource = {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** The columns of a CSV that has names of its own, by field: `{ rating: "Stars" }`. */
  columnNames?: Readonly<Record<string, string>>;
};

export type ImportFile = {
  format: ImportFormat;
  /** The column names of a CSV in lower case; null for JSONL. */
  columns: readonly string[] | null;
  rows: AsyncIterable<ImportRow>;
};

/** @throws AppError `invalid_input` when the header of a CSV can't be understood */
export async function readImportFile(source: ImportSource): Promise<ImportFile> {
  const lines = readText(source.chunks);
  // The first line that is not empty tells the format.
  let next = await lines.next();
  while (!next.done && next.value.text?.trim() === "") next = await lines.next();
  const first = next.done ? null : next.value;
  const all = prepend(first, lines);
  if (formatOf(source.name, first) === "jsonl") {
    return { format: "jsonl", columns: null, rows: readJsonRows(all) };
  }
  if (first === null) throw unreadableFile("it is empty");
  return readCsv(all, { header: first.text ?? "", columnNames: source.columnNames ?? {} });
}

// The first bytes of every gzip file (RFC 1952).
const gzipStart = [0x1f, 0x8b];

/** @throws AppError `invalid_input` for a file that is not text, at the line where that shows */
async function* readText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  try {
    yield* readLines(refuseCompressed(chunks), { isStrict: true });
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    throw unreadableFile(`line ${error.line} is not in UTF-8; save the file as UTF-8`);
  }
}

async function* refuseCompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && gzipStart.every((byte, index) => chunk[index] === byte)) {
      throw unreadableFile("it is compressed; unpack it first (gunzip FILE)");
    }
    isFirst = false;
    yield chunk;
  }
}

function formatOf(name: string, first: Line | null): ImportFormat {
  const extension = path.extname(name).toLowerCase();
  if (extension === ".csv") return "csv";
  if ([".jsonl", ".ndjson", ".json"].includes(extension)) return "jsonl";
  return first === null || first.text?.trimStart().startsWith("{") ? "jsonl" : "csv";
}

async function* prepend(first: Line | null, rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  if (first) yield first;
  yield* rest;
}

async function* readJsonRows(lines: AsyncIterable<Line>): AsyncGenerator<ImportRow> {
  for await (const { number, text } of lines) {
    if (text === null) {
      yield { line: number, reason: `the line is longer than ${lineBytesMax} bytes` };
    } else if (text.trim() !== "") {
      const fields = parseJson(text);
      yield isObject(fields)
        ? { line: number, fields }
        : { line: number, reason: "the line is not a JSON object" };
    }
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function readCsv(
  lines: AsyncIterable<Line>,
  options: { header: string; columnNames: Readonly<Record<string, string>> },
): Promise<ImportFile> {
  const { columnNames } = options;
  if (options.header.includes("\0")) {
    throw unreadableFile("it is in UTF-16 without a byte order mark; save the file as UTF-8");
  }
  const rows = readCsvRows(lines, findSeparator(options.header));
  const header = await rows.next();
  if (header.done) return { format: "csv", columns: [], rows: noRows() };
  if ("fault" in header.value) {
    const { line, fault } = header.value;
    throw unreadableFile(`the header in line ${line} can't be read: ${fault}`);
  }
  const { cells } = header.value;
  if (cells.length > csvColumnsMax) {
    throw unreadableFile(
      `the header has ${cells.length} columns, at most ${csvColumnsMax} can be read`,
    );
  }
  const columns = cells.map((name) => name.trim().toLowerCase());
  const twice = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (twice !== undefined) throw unreadableFile(`the header names the column ${twice} twice`);
  const fields = nameFields(columns, columnNames);
  return { format: "csv", columns: fields, rows: nameCells(rows, fields) };
}

/** A column that is named for a field stands for it, also where another column has the field's name. */
function nameFields(
  columns: readonly string[],
  columnNames: Readonly<Record<string, string>>,
): string[] {
  const names = Object.entries(columnNames).map(([field, name]) => [name.toLowerCase(), field]);
  const missing = names.flatMap(([name = ""]) => (columns.includes(name) ? [] : [name]));
  if (missing.length > 0) throw unreadableFile(`the header lacks the column ${missing.join(", ")}`);
  const fieldOf = new Map(names.map(([name = "", field = ""]) => [name, field]));
  return columns.map((column) => fieldOf.get(column) ?? (column in columnNames ? "" : column));
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

/** @throws AppError `invalid_input` when a CSV (whose columns are not null) lacks one of the names */
export function requireColumns(columns: readonly string[] | null, names: readonly string[]): void {
  const missing = columns === null ? [] : names.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw unreadableFile(`the header lacks the column ${missing.join(", ")}`);
}

/** Names no field: the option that names the file is right. */
export function unreadableFile(reason: string): AppError {
  return new AppError("invalid_input", `the file can't be imported: ${reason}`);
}
