// Shapes: where a store's payload has each field, as data. One reader reads all of them, so a field that moved is another
// path in a table. docs/shapes.md explains them to operators.
import { type Key, valueAt } from "../../lib/json.ts";

/** Keys and indexes from the outside in; -1 is the last item of a list. */
export type Path = readonly Key[];

/** `count`: a whole number from 0; `value`: anything, for fields where another type than text has a meaning. */
export type FieldType = "text" | "number" | "count" | "value";

/** The first path with a value counts; without a path the field is unknown. */
export type Field<Type extends FieldType = FieldType> = { type: Type; paths: readonly Path[] };

export type Fields = Readonly<Record<string, Field>>;

export type Shape<F extends Fields = Fields> = {
  name: string;
  /** Counts the changes of this shape in releases. */
  version: number;
  /** The way from the payload to the list of items, or to the one item. */
  root: Path;
  fields: F;
};

type Value<Type extends FieldType> = Type extends "text"
  ? string | null
  : Type extends "value"
    ? unknown
    : number | null;

export type ItemOf<S extends Shape> = {
  [Name in keyof S["fields"]]: Value<S["fields"][Name]["type"]>;
};

/** All fields of one item; null where a value is missing or of another type. */
export function readItem<S extends Shape>(shape: S, item: unknown): ItemOf<S> {
  const found: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape.fields)) found[name] = readField(field, item);
  return found as ItemOf<S>;
}

export function readField({ type, paths }: Field, item: unknown): unknown {
  for (const path of paths) {
    const value = valueAt(item, ...path);
    if (isOfType(value, type)) return value;
  }
  return null;
}

export function isOfType(value: unknown, type: FieldType): boolean {
  if (value === null) return false;
  if (type === "value") return true;
  if (type === "text") return typeof value === "string";
  const isNumber = typeof value === "number" && Number.isFinite(value);
  return isNumber && (type === "number" || (Number.isSafeInteger(value) && value >= 0));
}

function fieldOf<const Type extends FieldType>(type: Type): (...path: Path) => Field<Type> {
  return (...path) => ({ type, paths: [path] });
}

/** Fields of tables; each takes the keys of its path. */
export const at = {
  text: fieldOf("text"),
  number: fieldOf("number"),
  count: fieldOf("count"),
  value: fieldOf("value"),
};
