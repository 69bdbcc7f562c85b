// Statements as tagged templates: a value is written where it is used, and pieces of statements nest. This file has what
// the tag of sql-template-tag lacks: parameters that are used several times, and pieces made of the columns of objects.
import sql, { join, raw, type Sql } from "sql-template-tag";
import { toArrayText, type Value } from "./values.ts";

/** See `parameter`. */
export class Parameter {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * A value that is one parameter wherever the statement names it, so that PostgreSQL infers its type once and knows
 * that both places have the same value. A value without this is a parameter of its own in each place.
 */
export function parameter(value: unknown): Parameter {
  return new Parameter(value);
}

/** The text as the driver takes it, with `$1` and so on in the order of their first use, and the values. */
export function toStatement({ strings, values }: Sql): { text: string; values: unknown[] } {
  const numbers = new Map<Parameter, number>();
  const sent: unknown[] = [];
  let text = strings[0] ?? "";
  for (const [index, value] of values.entries()) {
    const isShared = value instanceof Parameter;
    let number = isShared ? numbers.get(value) : undefined;
    if (number === undefined) {
      number = sent.push(isShared ? value.value : value);
      if (isShared) numbers.set(value, number);
    }
    text += `$${number}${strings[index + 1] ?? ""}`;
  }
  return { text, values: sent };
}

/** A constant as part of the text, where the plan depends on it. */
export function literal(value: number | boolean): Sql {
  return raw(String(value));
}

/** By column; keys are names of the schema, and never anything that a user wrote. */
type Row = Readonly<Record<string, unknown>>;

/** `(id, name) values ($1, $2)` */
export function insertedColumns(row: Row): Sql {
  return sql`(${raw(Object.keys(row).join(", "))}) values (${join(Object.values(row), ", ")})`;
}

/** `id = $1, name = $2` */
export function assignedColumns(row: Row): Sql {
  return join(
    Object.entries(row).map(([name, value]) => sql`${raw(name)} = ${value}`),
    ", ",
  );
}

/** Each column of `unnest` with its type. */
export type UnnestedColumns<T> = Readonly<
  Record<string, readonly [type: string, read: (row: T) => Value | Buffer]>
>;

/**
 * Objects as rows of a statement, each column with its type: `unnest($1::uuid[], $2::text[]) as given (id, name)`.
 * A column is sent as one text, which takes a tenth of the driver's time; bytes are sent as the driver does.
 */
export function unnest<T>(alias: string, rows: readonly T[], columns: UnnestedColumns<T>): Sql {
  const arrays = Object.values(columns).map(([type, read]) => {
    const values = rows.map(read);
    const sent = type === "bytea" ? values : toArrayText(values as Value[]);
    return sql`${sent}::${raw(type)}[]`;
  });
  return sql`unnest(${join(arrays, ", ")}) as ${raw(alias)} (${raw(Object.keys(columns).join(", "))})`;
}

/**
 * The version of a thing after a change by people. The time is in it, so that a version from before a restore is not
 * counted up to again.
 */
export function nextVersion(now: Date, table?: Sql): Sql {
  const before = table ? sql`${table}.settings_version` : sql`settings_version`;
  return sql`greatest(${before} + 1, ${now.getTime()})`;
}

/**
 * The next value of a column `version`, which processes and tags compare. It follows the time, so that a database that was restored
 * from an older backup never counts up to a value again that a client knows.
 */
export const nextRowVersion = raw(
  "greatest(version + 1, (extract(epoch from now()) * 1000000)::bigint)",
);
