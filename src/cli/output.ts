// The outcome of a command as text: one JSON value, or a table or lines for people.
import { cleanForTerminal } from "../lib/terminal-text.ts";
import { formatDates, formatTimestamp } from "../lib/timestamp.ts";
import type { Outcome } from "./command.ts";

/** Times are ISO 8601 in UTC, milliseconds only where there are any. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(formatDates(value), null, 2)}\n`;
}

export function formatForPeople(outcome: Outcome): string {
  return [
    formatValue(outcome),
    ...(outcome.lines ?? []).map((line) => `${formatCell(line)}\n`),
  ].join("");
}

function formatValue({ value, columns = [] }: Outcome): string {
  if (Array.isArray(value)) return formatTable(value, columns);
  if (!isRecord(value)) return `${formatCell(value)}\n`;
  const entries = Object.entries(value).filter(([, field]) => field !== null);
  const [tables, fields] = split(entries, ([, field]) => isListOfRecords(field));
  const width = Math.max(...fields.map(([name]) => toHeading(name).length));
  return [
    ...fields.map(([name, field]) => `${toHeading(name).padEnd(width)}  ${formatCell(field)}\n`),
    ...tables.map(
      ([name, rows]) => `\n${toHeading(name)}:\n${formatTable(rows as Row[], columnsOf(rows))}`,
    ),
  ].join("");
}

type Row = Record<string, unknown>;

function isRecord(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}

function isListOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** The columns in which at least one row has something to show. */
function columnsOf(rows: unknown): string[] {
  const all = rows as Row[];
  const names = [...new Set(all.flatMap((row) => Object.keys(row)))];
  return names.filter((name) => all.some((row) => (row[name] ?? null) !== null));
}

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** `externalAppId` as people read it: "external app id". */
function toHeading(name: string): string {
  return name.replace(
    /([a-z])([A-Z])/g,
    (_, before, letter) => `${before} ${letter.toLowerCase()}`,
  );
}

function formatTable(rows: readonly unknown[], columns: readonly string[]): string {
  if (rows.length === 0) return "none\n";
  const cells = rows.map((row) => {
    const fields: Record<string, unknown> = Object(row);
    return columns.map((column) => formatCell(fields[column]));
  });
  const widths = columns.map((column, index) =>
    Math.max(toHeading(column).length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  return [columns.map(toHeading), ...cells]
    .map((line) => line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date) return formatTimestamp(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0 ? "none" : value.join(",");
  }
  const text = isRecord(value) && !Array.isArray(value) ? formatFields(value) : toText(value);
  return cleanForTerminal(text);
}

function formatFields(record: Row): string {
  const known = Object.entries(record).filter(([, field]) => field !== null);
  return known.length === 0
    ? "-"
    : known.map(([name, field]) => `${toHeading(name)} ${toText(field)}`).join(", ");
}

function toText(value: unknown): string {
  const shown = formatDates(value);
  return typeof shown === "object" ? JSON.stringify(shown) : String(shown);
}
