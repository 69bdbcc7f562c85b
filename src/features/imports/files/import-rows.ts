// The rows of an import file, JSONL, JSON or CSV: each as fields by name with the line it begins on, or the
// reason why it is rejected. A bad row never affects the others.
import path from "node:path";
import { restoreFormula } from "../../../lib/csv-cell.ts";
import { csvColumnsMax, findSeparator, readCsvRows } from "../../../lib/csv-rows.ts";
import { EncodingError, type Line, lineBytesMax, readLines } from "../../../lib/text-lines.ts";
import { namesAnApp } from "./app-naming.ts";
import { createFieldFinder } from "./field-reader.ts";
import {
  type ImportFile,
  type ImportRow,
  type ImportSource,
  MissingColumnsError,
  notImported,
  unreadableFile,
} from "./import-file.ts";
import { type FieldNames, plainName, suggestColumns } from "./import-names.ts";
import { documentBytesMax, readJsonRows } from "./json-rows.ts";

/** @throws AppError `invalid_input` when the header of a CSV can't be understood */
export async function readImportFile(source: ImportSource): Promise<ImportFile> {
  const extension = path.extname(source.name).toLowerCase();
  const isLines = [".csv", ".jsonl", ".ndjson"].includes(extension);
  const { documentBytesMax: documentMax = documentBytesMax } = source;
  const lines = readText(source.chunks, {
    bytesMax: isLines ? lineBytesMax : documentMax,
    ...(!/json|nd/.test(extension) && { isMac: "detect" }),
  });
  // The first non-empty line determines the format.
  let next = await lines.next();
  while (!next.done && next.value.text?.trim() === "") next = await lines.next();
  const first = next.done ? null : next.value;
  const all = prepend(first, lines);
  if (!isCsv(extension, first))
    return { columns: null, rows: readJsonRows(all, { isLines, documentMax }) };
  if (first === null) throw unreadableFile("it is empty");
  // Excel writes and reads a line that names the separator.
  const isHint = /^"?sep=.?"?\r?$/i.test(first.text ?? "");
  const header = isHint ? await lines.next() : null;
  if (!header) return readCsv(all, first.text ?? "");
  return readCsv(prepend(header.value ?? null, lines), header.value?.text ?? "");
}

/** By the first bytes of the file, the reason why it is refused; the bytes in hexadecimal. */
const foreignFormats: readonly [start: RegExp, reason: string][] = [
  [/^1f8b/, "compressed; unpack it first (gunzip FILE)"],
  [/^(425a68|fd377a585a00|28b52ffd|377abcaf271c)/, "compressed; unpack it first"],
  [/^d0cf11e0/, "an Excel workbook; save it as CSV UTF-8"],
  [/^504b0304/, "a zip; unpack it, and import the file in it"],
  [/^50415231/, "a Parquet file; save it as CSV or JSONL"],
  [/^53514c69746520666f726d6174/, "an SQLite database; export its table as CSV"],
  [/^(efbbbf)?3c/, "HTML or XML; save it as CSV or JSON"],
  // PDF, RTF, Arrow, Avro, ORC and pickles of Python.
  [
    /^(25504446|7b5c727466|4152524f5731|4f626a01|4f5243|800[2-5])/,
    "no table; save it as CSV or JSONL",
  ],
];

async function* readText(
  chunks: AsyncIterable<Uint8Array>,
  { bytesMax, ...options }: { bytesMax: number; isMac?: "detect" },
): AsyncGenerator<Line> {
  try {
    yield* readLines(refuseForeign(chunks), { isStrict: true, bytesMax, ...options });
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    throw unreadableFile(`line ${error.line} is not in UTF-8; save the file as UTF-8`);
  }
}

async function* refuseForeign(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of chunks) {
    byteCount += chunk.byteLength;
    head.push(chunk);
    // The names of its first files distinguish a workbook from other zips.
    if (byteCount < headBytes) continue;
    if (byteCount - chunk.byteLength < headBytes) refuse(Buffer.concat(head));
    yield* head;
    head = [];
  }
  if (byteCount < headBytes) refuse(Buffer.concat(head));
  yield* head;
}

const headBytes = 4_096;

function refuse(bytes: Uint8Array): void {
  const head = Buffer.from(bytes.subarray(0, headBytes));
  const hex = head.toString("hex");
  const reason = foreignFormats.find(([start]) => start.test(hex))?.[1];
  if (reason === undefined) return;
  // A workbook is a zip of such files.
  const isWorkbook =
    reason.startsWith("a zip") && /xl\/|\[Content_Types\]/.test(head.toString("latin1"));
  throw unreadableFile(`it is ${isWorkbook ? "an Excel workbook; save it as CSV UTF-8" : reason}`);
}

function isCsv(extension: string, first: Line | null): boolean {
  if (extension === ".csv") return true;
  if ([".jsonl", ".ndjson", ".json"].includes(extension)) return false;
  return first !== null && !/^\s*[{[]/.test(first.text ?? "");
}

async function* prepend(first: Line | null, rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  if (first) yield first;
  yield* rest;
}

async function readCsv(lines: AsyncIterable<Line>, firstLine: string): Promise<ImportFile> {
  if (firstLine.includes("\0")) {
    throw unreadableFile("it is in UTF-16 without a byte order mark; save the file as UTF-8");
  }
  const rows = readCsvRows(lines, findSeparator(firstLine));
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
  const columns = cells.map((name) => name.trim());
  const lower = columns.map((name) => name.toLowerCase());
  const twice = lower.find((name, index) => name !== "" && lower.indexOf(name) !== index);
  if (twice !== undefined) throw unreadableFile(`the header names the column ${twice} twice`);
  return { columns, rows: nameCells(rows, columns) };
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
  const isOwnExport = columns.includes("translatedFrom");
  const fields: Record<string, string> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? "";
    fields[name] = isOwnExport ? restoreFormula(cell) : cell;
  }
  return { line, fields };
}

/** @throws AppError `invalid_input` when a CSV (whose columns are not null) lacks a field, with the command that may help */
export function requireFields(
  columns: readonly string[] | null,
  {
    table,
    columnNames = {},
    needed,
  }: {
    table: FieldNames;
    columnNames?: Readonly<Record<string, string>> | undefined;
    needed: readonly string[];
  },
): void {
  const names = new Set(columns?.map(plainName));
  const unknown = Object.keys(columnNames).filter((field) => !(field in table));
  if (unknown.length > 0)
    throw unreadableFile(
      `--columns names no field ${unknown.join(", ")}; there are ${Object.keys(table).join(", ")}`,
    );
  if (columns === null) return;
  const unmet = Object.values(columnNames).filter((name) => !names.has(plainName(name)));
  if (unmet.length > 0) throw unreadableFile(`the header lacks the column ${unmet.join(", ")}`);
  const found = createFieldFinder(table, columnNames)(columns);
  const missing = needed.filter((field) => !found.has(field));
  if (missing.length === 0) return;
  const ids = missing.includes("id") ? ", or --make-ids where it has no ids" : "";
  const named = columns.filter((name) => name !== "");
  const command = suggestColumns(columns, { missing, isOther: namesAnApp });
  throw new MissingColumnsError(
    `${notImported}: the header lacks the column ${missing.join(", ")}; it has ${named.join(", ")}. Name them: ${command}${ids}`,
    { missing, columns: named },
  );
}
