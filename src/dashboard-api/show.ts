// Rows as their JSON: the fields that the contract names, with timestamps for dates. Further columns of a row are not
// sent.
import { formatDates } from "../lib/timestamp.ts";
import type { Json, Shown } from "./contract/route.ts";

export function show<Row extends object, const Names extends readonly (keyof Row)[]>(
  row: Row,
  names: Names,
): Shown<Row, Names> {
  return toJson(Object.fromEntries(names.map((name) => [name, row[name]]))) as Shown<Row, Names>;
}

/** Timestamps for all dates of a value. */
export function toJson<T>(value: T): Json<T> {
  return formatDates(value) as Json<T>;
}
