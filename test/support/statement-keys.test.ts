// Statements that count as naming their key.
import { expect, test } from "vitest";
import { listUnkeyedTables } from "./statement-keys.ts";

test.each([
  ["a parameter", "select * from reviews r where r.listing_id = $1"],
  ["without an alias", "select * from reviews where listing_id = $1 and rating = 1"],
  ["a list of parameters", "select * from reviews r where r.listing_id = any($1::uuid[])"],
  [
    "an unnest",
    "select * from unnest($1::uuid[]) s (listing_id) join reviews r on r.listing_id = s.listing_id",
  ],
  [
    "another table with the same key",
    "select * from reviews r join review_versions v on v.listing_id = r.listing_id where r.listing_id = $1",
  ],
  [
    "a column that equals a parameter",
    "select * from apps a join reviews r on r.listing_id = a.listing_id where a.listing_id = $2",
  ],
  [
    "rows with the column",
    "insert into review_days as d (listing_id, day) select $1, * from unnest($2::date[])",
  ],
  ["a table without a key", "select * from apps where workspace_id = $1"],
  ["a text", "select 'from reviews' as text from apps"],
])("named by %s", (_, text) => {
  expect(listUnkeyedTables(text)).toEqual([]);
});

test.each([
  ["nothing", "select count(*) from reviews", ["reviews"]],
  ["another column", "select * from reviews r where r.id = $1", ["reviews"]],
  [
    "a join",
    "select * from apps a join reviews r on r.listing_id = a.listing_id where a.id = $1",
    ["reviews"],
  ],
  [
    "the other one of two",
    "select * from reviews r join review_days d on d.region = r.region where r.listing_id = $1",
    ["review_days"],
  ],
  [
    "a subquery beside it",
    "select (select count(*) from snapshots) from reviews r where r.listing_id = $1",
    ["snapshots"],
  ],
  ["rows without the column", "insert into reviews (id, rating) values ($1, $2)", ["reviews"]],
])("not named by %s", (_, text, tables) => {
  expect(listUnkeyedTables(text)).toEqual(tables);
});
