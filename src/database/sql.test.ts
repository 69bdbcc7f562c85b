import fc from "fast-check";
import sql from "sql-template-tag";
import { expect, test } from "vitest";
import {
  assignedColumns,
  insertedColumns,
  literal,
  parameter,
  toStatement,
  unnest,
} from "./sql.ts";

test("a value is a parameter of its own in each place, in nested pieces as well", () => {
  const isOwn = sql`workspace_id = ${"w"}`;
  expect(toStatement(sql`select ${1} where ${isOwn} and id = ${"w"}`)).toEqual({
    text: "select $1 where workspace_id = $2 and id = $3",
    values: [1, "w", "w"],
  });
});

test("a parameter has one number wherever it is named, however deep", () => {
  const bucket = parameter(7);
  const piece = sql`bucket = ${bucket}`;
  expect(toStatement(sql`${piece} and ${"x"} <> '' and ${sql`p.${piece}`} or ${bucket}`)).toEqual({
    text: "bucket = $1 and $2 <> '' and p.bucket = $1 or $1",
    values: [7, "x"],
  });
});

test("two parameters with equal values stay two, so that the text does not depend on values", () => {
  const write = (one: unknown, other: unknown) =>
    toStatement(sql`select ${parameter(one)}, ${parameter(other)}`).text;
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (one, other) => {
      expect(write(one, one)).toBe(write(one, other));
    }),
  );
});

test("an object becomes the columns of an insert or of an update, in its order", () => {
  const row = { id: 1, name: "it's; drop table", at: null };
  expect(toStatement(sql`insert into t ${insertedColumns(row)}`)).toEqual({
    text: "insert into t (id, name, at) values ($1, $2, $3)",
    values: [1, "it's; drop table", null],
  });
  expect(toStatement(sql`update t set ${assignedColumns(row)}`)).toEqual({
    text: "update t set id = $1, name = $2, at = $3",
    values: [1, "it's; drop table", null],
  });
});

test("objects become rows by one array for each column, and bytes are left to the driver", () => {
  const rows = unnest("given", [{ id: 1, body: Buffer.from("a") }], {
    id: ["int", ({ id }) => id],
    body: ["bytea", ({ body }) => body],
  });
  expect(toStatement(sql`select * from ${rows} limit ${literal(5)}`)).toEqual({
    text: "select * from unnest($1::int[], $2::bytea[]) as given (id, body) limit 5",
    values: ["{1}", [Buffer.from("a")]],
  });
});
