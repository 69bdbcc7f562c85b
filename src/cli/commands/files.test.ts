import { expect, test } from "vitest";
import { emptyResult, type ImportResult } from "../../use-cases/imports/import-result.ts";
import { formatForPeople } from "../output.ts";
import { describeImport } from "./files.ts";

function describe(result: Partial<ImportResult>, isJson = false) {
  const notes: string[] = [];
  const shell = { isJson, note: (line: string) => void notes.push(line) };
  return { notes, outcome: describeImport(shell, { ...emptyResult(), ...result }) };
}

const rejected = [
  { line: 3, reason: "rating must be a whole number from 1 to 5" },
  { line: 7, reason: "the line is not a JSON object" },
];

test("people read every rejected row in a line of its own, and how many more there are", () => {
  const { outcome, notes } = describe({ inserted: 2, rejected, rejectedCount: 5 });
  const lines = formatForPeople(outcome).trimEnd().split("\n");
  expect(lines).toContain("rejected   5");
  expect(lines.slice(-3)).toEqual([
    "line 3: rating must be a whole number from 1 to 5",
    "line 7: the line is not a JSON object",
    "and 3 more",
  ]);
  expect([outcome.isFailed, notes]).toEqual([false, []]);
});

test("scripts get the result as it is", () => {
  const { outcome } = describe({ inserted: 1, rejected, rejectedCount: 2 }, true);
  expect(outcome.value).toMatchObject({ inserted: 1, rejected, rejectedCount: 2 });
});

test.each([
  [{}, "nothing was imported from the file: it has no rows"],
  [{ rejected, rejectedCount: 2 }, "nothing was imported from the file: all 2 rows were rejected"],
])("when nothing was imported the reason is shown", (result, note) => {
  for (const isJson of [true, false]) {
    const { outcome, notes } = describe(result, isJson);
    expect([outcome.isFailed, notes]).toEqual([true, [note]]);
  }
});

test("an import that ended early fails, says why and shows what it kept", () => {
  const stopped = { reason: "the database is unavailable" };
  const { outcome, notes } = describe({ inserted: 2_000, stopped });
  expect(outcome.isFailed).toBe(true);
  expect(notes.join()).toContain("the import ended early: the database is unavailable");
  expect(formatForPeople(outcome)).toContain("inserted   2000");
  expect(describe({ inserted: 2_000, stopped }, true).outcome.value).toMatchObject({ stopped });
});

test("an export of the Play Console with stars alone is not a failure", () => {
  const line = { line: 2, reason: "stars without a review have no id" };
  const starsAlone = { rejected: [line], rejectedCount: 1, starsOnly: 1 };
  expect(describe(starsAlone).outcome.isFailed).toBe(false);
});
