// The outcome of a command as text: one JSON value, or a table or lines for people.
import { formatTimestamp } from "../lib/timestamp.ts";
import type { Outcome } from "./command.ts";

/** Times are ISO 8601 in UTC, milliseconds only where there are any. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, formatDates, 2)}\n`;
}

export function formatForPeople(outcome: Outcome): string {
  return [
    formatValue(outcome),
    ...(outcome.lines ?? []).map((line) => `${formatCell(line)}\n`),
  ].join("");
}

function formatValue({ value, columns = [] }: Outcome): string {
  if (Array.isArray(value)) return formatTable(value, columns);
  if (typeof value !== "object" || value === null) return `${formatCell(value)}\n`;
  const entries = Object.entries(value).filter(([, field]) => field !== null);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, field]) => `${name.padEnd(width)}  ${formatCell(field)}\n`).join("");
}

// JSON.stringify turns a date into text before it calls this; the object still holds the date.
function formatDates(this: unknown, name: string, value: unknown): unknown {
  const holder: Record<string, unknown> = Object(this);
  const original = holder[name];
  return original instanceof Date ? formatTimestamp(original) : value;
}

function formatTable(rows: readonly unknown[], columns: readonly string[]): string {
  if (rows.length === 0) return "none\n";
  const cells = rows.map((row) => {
    const fields: Record<string, unknown> = Object(row);
    return columns.map((column) => formatCell(fields[column]));
  });
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  return [columns, ...cells]
    .map((line) => line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would interpret what this removes.
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date) return formatTimestamp(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0 ? "none" : value.join(",");
  }
  const text = typeof value === "object" ? JSON.stringify(value, formatDates) : String(value);
  return text.replace(controlCharacters, "");
}
