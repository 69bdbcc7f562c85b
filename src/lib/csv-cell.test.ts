import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCsvLine, neutralizeFormula, restoreFormula } from "./csv-cell.ts";
import { readCsvRows } from "./csv-rows.ts";
import { readLines } from "./text-lines.ts";

test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(1)",
  "\t=1",
  " =1",
  "\u00a0=1",
  "\u200b=1",
  "\ufeff=1",
  "＝1",
  "|cmd",
])("%j is no formula any more", (text) => expect(neutralizeFormula(text)).toBe(`'${text}`));

test.each([
  ["n;=1+1", "n;'=1+1"],
  [";=1", ";'=1"],
  ["a\t=1; @b", "a\t'=1;' @b"],
])("%j has none after a separator of another country", (text, expected) =>
  expect(neutralizeFormula(text)).toBe(expected),
);

test("the apostrophe is taken off again, and one of the text is kept", () => {
  const text = fc.string({ unit: fc.constantFrom("'", "=", " ", "a", "-", ";"), maxLength: 6 });
  fc.assert(fc.property(text, (one) => restoreFormula(neutralizeFormula(one)) === one));
});

test("other text stays as it is", () => {
  for (const text of ["", "Great = good", "1-2", "a@b.c", "slow; crashes"])
    expect(neutralizeFormula(text)).toBe(text);
});

test("a semicolon does not end a cell", () => {
  expect(formatCsvLine(["hi;=HYPERLINK(1)", "b"])).toBe('"hi;=HYPERLINK(1)",b\r\n');
});

test("our own reader reads every line back", async () => {
  const cell = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ";").toWellFormed());
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 2, maxLength: 5 }), async (cells) => {
      const line = Buffer.from(formatCsvLine(["first", ...cells]));
      const rows = [];
      for await (const row of readCsvRows(readLines(chunksOf(line)))) rows.push(row);
      expect(rows).toEqual([{ line: 1, cells: ["first", ...cells] }]);
    }),
  );
});

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
