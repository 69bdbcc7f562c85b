// The rows of an import file, JSONL, JSON or CSV: each as fields by name with the line it begins on, or the
// reason why it is rejected. A bad row never affects the others.
import path from "node:path";
import { AppError } from "../../domain/error.ts";
import { restoreFormula } from "../../lib/csv-cell.ts";
import { csvColumnsMax, findSeparator, readCsvRows } from "../../lib/csv-rows.ts";
import { listAt, parseJson, textAt } from "../../lib/json.ts";
import { EncodingError, type Line, lineBytesMax, readLines } from "../../lib/text-lines.ts";

export type ImportRow =
  | { line: number; fields: Fields }
  /** Why the row is rejected, in words. */
  | { line: number; reason: string };

/** Values by name. In CSV all of them are text, and an empty cell has no value. */
export type Fields = Readonly<Record<string, unknown>>;

/** A file to import: its bytes, and its name, whose extension can determine the format. */
export type ImportSource = {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** The columns of a CSV that has names of its own, by field: `{ rating: "Stars" }`. */
  columnNames?: Readonly<Record<string, string>>;
};

export type ImportFile = {
  /** The column names of a CSV in lower case; null for JSONL. */
  columns: readonly string[] | null;
  rows: AsyncIterable<ImportRow>;
};

/** @throws AppError `invalid_input` when the header of a CSV can't be understood */
export async function readImportFile(source: ImportSource): Promise<ImportFile> {
  const extension = path.extname(source.name).toLowerCase();
  const isLines = [".csv", ".jsonl", ".ndjson"].includes(extension);
  const lines = readText(source.chunks, isLines ? lineBytesMax : documentBytesMax);
  // The first non-empty line determines the format.
  let next = await lines.next();
  while (!next.done && next.value.text?.trim() === "") next = await lines.next();
  const first = next.done ? null : next.value;
  const all = prepend(first, lines);
  if (!isLines && beginsDocument(first?.text ?? "")) {
    return { columns: null, rows: readDocument(all) };
  }
  if (!isCsv(extension, first)) return { columns: null, rows: readJsonRows(all) };
  if (first === null) throw unreadableFile("it is empty");
  return readCsv(all, { header: first.text ?? "", columnNames: source.columnNames ?? {} });
}

// The first bytes of every gzip file (RFC 1952).
const gzipStart = [0x1f, 0x8b];

/** @throws AppError `invalid_input` for a file that is not text, at the line where that shows */
async function* readText(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Line> {
  try {
    yield* readLines(refuseCompressed(chunks), { isStrict: true, bytesMax });
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

function isCsv(extension: string, first: Line | null): boolean {
  if (extension === ".csv") return true;
  if ([".jsonl", ".ndjson", ".json"].includes(extension)) return false;
  return first !== null && !first.text?.trimStart().startsWith("{");
}

async function* prepend(first: Line | null, rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  if (first) yield first;
  yield* rest;
}

// A document is parsed as a whole; each of its reviews has a few brackets.
const documentBytesMax = 64_000_000;
const documentBracketsMax = 5_000_000;

/** A list, or an object over several lines; one object in a line is JSONL. */
function beginsDocument(firstLine: string): boolean {
  const start = firstLine.trimStart();
  return start.startsWith("[") || (start.startsWith("{") && parseJson(start) === undefined);
}

async function* readDocument(lines: AsyncIterable<Line>): AsyncGenerator<ImportRow> {
  let text = "";
  for await (const line of lines) {
    text += `${line.text ?? ""}\n`;
    if (line.text === null || text.length > documentBytesMax) {
      throw unreadableFile(
        `a JSON document may have ${documentBytesMax} bytes; write one review per line (jq -c '.[]' FILE)`,
      );
    }
  }
  const document = parseJson(text, documentBracketsMax);
  if (document === undefined) {
    throw unreadableFile("its JSON can't be read to the end; it may have been cut off");
  }
  for (const [index, item] of itemsOf(document).entries()) yield toRow(item, index + 1);
}

async function* readJsonRows(lines: AsyncIterable<Line>): AsyncGenerator<ImportRow> {
  for await (const { number, text } of lines) {
    if (text === null) {
      yield { line: number, reason: `the line is longer than ${lineBytesMax} bytes` };
    } else if (text.trim() !== "") {
      const value = parseJson(text);
      const items = isObject(value) ? itemsOf(value) : [value];
      for (const item of items) yield toRow(item, number);
    }
  }
}

function toRow(item: unknown, line: number): ImportRow {
  return isObject(item)
    ? { line, fields: item }
    : { line, reason: "the line is not a JSON object" };
}

/** The reviews of a list of reviews or pages, or of one page of an API with its replies beside them; else the value. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(itemsOf);
  const page = ["data", "reviews", "results"]
    .map((name) => listAt(value, name))
    .find((items) => items?.every(isObject));
  if (!page) return [value];
  const replies = new Map(
    (listAt(value, "included") ?? []).map((one) => [textAt(one, "id") ?? "", one]),
  );
  return page.map((item) => {
    const id = textAt(item, "relationships", "response", "data", "id") ?? "";
    const replyText = textAt(replies.get(id), "attributes", "responseBody");
    const replyDate = textAt(replies.get(id), "attributes", "lastModifiedDate");
    return isObject(item) && replyText !== null ? { ...item, replyText, replyDate } : item;
  });
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
  if (header.done) return { columns: [], rows: noRows() };
  if ("fault" in header.value) {
    const { line, fault } = header.value;
    throw unreadableFile(`the header in line ${line} can't be read: ${fault}`);
  }
  const { cells } = header.value;
  const count = cells.length;
  if (count > csvColumnsMax)
    throw unreadableFile(`the header has ${count} columns, at most ${csvColumnsMax} can be read`);
  const columns = cells.map((name) => name.trim().toLowerCase());
  const twice = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (twice !== undefined) throw unreadableFile(`the header names the column ${twice} twice`);
  const fields = nameFields(columns, columnNames);
  return { columns: fields, rows: nameCells(rows, fields) };
}

/** A column that the user mapped to a field is used for it, even where another column has the field's name. */
function nameFields(
  columns: readonly string[],
  columnNames: Readonly<Record<string, string>>,
): string[] {
  const names = Object.entries(columnNames).map(([field, name]) => [name.toLowerCase(), field]);
  requireColumns(
    columns,
    Object.values(columnNames).map((name) => name.toLowerCase()),
  );
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
  { line, cells }: { line: number; cells: readonly string[] },
  columns: readonly string[],
): ImportRow {
  if (cells.slice(columns.length).some((cell) => cell !== "")) {
    const reason = `the row has ${cells.length} cells, the header ${columns.length}`;
    return { line, reason };
  }
  // Exports of Starpost have an apostrophe in front of formulas.
  const isOwnExport = columns.includes("storeid");
  const named = columns.map((name, index): [string, string] => {
    const cell = cells[index] ?? "";
    return [name, isOwnExport ? restoreFormula(cell) : cell];
  });
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
