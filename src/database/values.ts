// How values cross between JavaScript and PostgreSQL: columns of many rows as the text of an array, and what the driver
// makes of counts, days and moments.
import pg from "pg";

export type Value = string | number | boolean | Date | null;

export function toArrayText(values: readonly Value[]): string {
  let text = "{";
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ",";
    if (value === null) text += "NULL";
    else if (typeof value === "number" || typeof value === "boolean") text += value;
    else if (typeof value === "string") text += quote(value);
    else text += `"${value.toISOString()}"`;
  }
  return `${text}}`;
}

const needsEscape = /["\\]/;

// Always in quotes: without them, an empty text and the text NULL would mean something else.
function quote(value: string): string {
  return needsEscape.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : `"${value}"`;
}

// How values of PostgreSQL become values of JavaScript: counts are numbers, days are text, moments are
// Dates.

// int8 counts stay far below 2^53; a date is a day, not a moment in the server's zone.
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.DATE, String],
  [pg.types.builtins.TIMESTAMPTZ, parseMoment],
]);

const parseAnyMoment: (text: string) => unknown = pg.types.getTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  "text",
);

// The server writes `2026-11-21 16:16:37.458+00` in UTC, which is ISO 8601 but for two characters: a
// tenth of the work of the driver's parser, which reads every form of a moment.
function parseMoment(text: string): unknown {
  const isUtc = text.endsWith("+00") && text[10] === " ";
  return isUtc ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseAnyMoment(text);
}

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") =>
    (format !== "binary" && parsers.get(id)) ||
    pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig["getTypeParser"],
};
