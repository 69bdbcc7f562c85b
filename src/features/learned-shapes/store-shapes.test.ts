// Listing, exporting and importing shapes.
import { expect, test } from "vitest";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import type { LearnedShape } from "../../domain/feed/learned-shape.ts";
import { googleReviews } from "../../stores/shapes/google-shapes.ts";
import { findShape, importShape, listShapes } from "./store-shapes.ts";

const clock = new MovableClock(new Date("2026-05-02T03:04:05Z"));
const moved = {
  ...googleReviews,
  root: [0, 0],
  fields: {
    ...googleReviews.fields,
    text: { type: "value", paths: [[4, 0]] },
    votes: { type: "count", paths: [] },
  },
};

function aDatabase(rows: LearnedShape[] = []) {
  return {
    rows,
    listLearnedShapes: async () => rows,
    saveLearnedShape: async (learned: LearnedShape) => rows.push(learned) > 0,
  };
}

test("an exported shape is used where it is imported, and the list names the fields that moved", async () => {
  const there = aDatabase();
  await importShape({ clock, actor: "cli", database: there }, JSON.parse(JSON.stringify(moved)));
  expect(there.rows).toMatchObject([
    { name: "google-reviews", state: "used", since: clock.now(), actor: "cli" },
  ]);
  expect(await findShape(there, { name: "google-reviews", isLearned: false })).toEqual(moved);
  const [row] = await listShapes(there);
  expect(row).toMatchObject({
    name: "google-reviews",
    state: "used",
    moved: ["items: 0 → 0.0", "votes: 6 → unknown", "text: 4 → 4.0"].toSorted(
      (one, other) => order(one) - order(other),
    ),
  });
});

/** In the order of the shape's fields, the list of items first. */
function order(line: string): number {
  return ["items", ...Object.keys(googleReviews.fields)].indexOf(line.split(":")[0] ?? "");
}

test("a shape in the shadow is exported, and not read by", async () => {
  const row = {
    name: "google-reviews",
    shape: moved,
    roundCount: 1,
    reason: "",
    since: clock.now(),
  };
  const database = aDatabase([{ ...row, state: "shadow" }]);
  expect(await findShape(database, { name: row.name, isLearned: true })).toEqual(moved);
  expect(await findShape(database, { name: row.name, isLearned: false })).toBe(googleReviews);
});

test.each<[string, unknown]>([
  ["no JSON", undefined],
  ["an unknown shape", { ...moved, name: "other" }],
  ["another version", { ...moved, version: 7 }],
  ["a missing field", { ...moved, fields: { id: moved.fields.id } }],
  [
    "another type",
    { ...moved, fields: { ...moved.fields, rating: { type: "text", paths: [[2]] } } },
  ],
  ["a path that is too long", { ...moved, root: Array(99).fill(0) }],
])("an import of %s is refused", async (_, json) => {
  const database = aDatabase();
  await expect(importShape({ clock, actor: "cli", database }, json)).rejects.toMatchObject({
    code: "invalid_input",
  });
  expect(database.rows).toEqual([]);
});

test("the names of all shapes are in the message for another one", async () => {
  const found = findShape(aDatabase(), { name: "apple", isLearned: false });
  await expect(found).rejects.toThrow("google-reviews, apple-feed, google-app");
});
