import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type CsvRow, readCsvRows } from "./csv-rows.ts";
import { readLines } from "./text-lines.ts";

async function readAll(text: string, chunkLength = 7): Promise<CsvRow[]> {
  const bytes = Buffer.from(text, "utf8");
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkLength) {
      yield bytes.subarray(at, at + chunkLength);
    }
  }
  return collect(chunks());
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of readCsvRows(readLines(chunks))) rows.push(row);
  return rows;
}

test("a row knows the line it begins on, behind cells of several lines and empty lines", async () => {
  const rows = await readAll('a,b\r\n"one\r\ntwo\n",x\n\n\nlast,"y"');
  expect(rows).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["one\r\ntwo\n", "x"] },
    { line: 7, cells: ["last", "y"] },
  ]);
});

test("two quotes inside quotes are one, and a stray quote in a plain cell is text", async () => {
  expect(await readAll('"say ""hi""",5" screen,""\n')).toEqual([
    { line: 1, cells: ['say "hi"', '5" screen', ""] },
  ]);
});

test("a quote that is never closed costs its own row and no other", async () => {
  const rows = await readAll('1,"open\n2,fine\n3,fine too\n');
  expect(rows).toEqual([
    { line: 1, fault: "a quote is opened and never closed" },
    { line: 2, cells: ["2", "fine"] },
    { line: 3, cells: ["3", "fine too"] },
  ]);
});

test("text behind a closing quote costs its own row and no other", async () => {
  const rows = await readAll('1,"open\n2,"closed" here\n3,fine\n');
  expect(rows.at(0)).toEqual({ line: 1, fault: "text follows a closing quote" });
  expect(rows.at(-1)).toEqual({ line: 3, cells: ["3", "fine"] });
});

test("a quote that stays open for more than a line may have gives up and reads on", async () => {
  const filler = Array.from({ length: 3_000 }, (_, index) => `${index},${"x".repeat(400)}`);
  const rows = await readAll(['bad,"open', ...filler].join("\n"), 65_536);
  expect(rows).toHaveLength(3_001);
  expect(rows[0]).toMatchObject({ line: 1, fault: expect.stringContaining("never closed") });
  expect(rows.at(-1)).toMatchObject({ line: 3_001 });
});

test("a line of more than 1 MB is one bad row", async () => {
  const rows = await readAll(`1,a\n2,${"x".repeat(1_000_001)}\n3,c\n`, 65_536);
  expect(rows.map((row) => ("fault" in row ? row.fault : row.cells[1]))).toEqual([
    "a",
    "the line is longer than 1000000 bytes",
    "c",
  ]);
});

test("what a correct writer wrote comes back cell by cell", async () => {
  // Rows of one empty cell are empty lines, which readers can't distinguish from no row.
  const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", "\n", "\r", "😀", " ") });
  const row = fc.array(cell, { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 6 }), fc.nat(9), async (rows, chunk) => {
      const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const text = rows.map((cells) => `${cells.map(quote).join(",")}\r\n`).join("");
      const read = await readAll(text, chunk + 1);
      expect(read.map((one) => ("cells" in one ? one.cells : one.fault))).toEqual(rows);
    }),
  );
});

test("no text makes the reader fail, and lines only ever go up", async () => {
  const unit = fc.constantFrom("a", '"', ",", "\n", "\r");
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (text) => {
      const lines = (await readAll(text)).map((row) => row.line);
      expect([...lines].sort((one, other) => one - other)).toEqual(lines);
    }),
  );
});

// Lines that leave a quoted cell open or break it, from either state, are what makes a reader look again.
const quoteSoup = fc.array(fc.constantFrom('a",",', '"', '"x', 'x"', '","', "a,b", '"a" b', ""), {
  minLength: 1,
  maxLength: 30,
});

test("rows are those of a reader that begins anew after every broken row", async () => {
  await fc.assert(
    fc.asyncProperty(quoteSoup, async (lines) => {
      expect(await readAll(lines.join("\n"))).toEqual(readPlainly(lines));
    }),
  );
});

test("twice the text costs at most twice the steps, whatever its quotes", async () => {
  const stepsFor = async (lines: readonly string[], times: number): Promise<number> => {
    const steps = vi.spyOn(String.prototype, "indexOf");
    await readAll(Array.from({ length: times }, () => lines.join("\n")).join("\n"), 65_536);
    const count = steps.mock.calls.length;
    steps.mockRestore();
    return count;
  };
  await fc.assert(
    fc.asyncProperty(quoteSoup, async (lines) => {
      expect(await stepsFor(lines, 64)).toBeLessThan(3 * (await stepsFor(lines, 32)) + 100);
    }),
    { numRuns: 50 },
  );
});

test("timers have their turn while a file in memory is read", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await readAll('a",",\n'.repeat(50_000), 65_536);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

/** The same rows by the shortest way: join as many lines as it takes, and begin again after a fault. */
function readPlainly(lines: readonly string[]): CsvRow[] {
  // A file that ends with a line feed has no line after it.
  const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const rows: CsvRow[] = [];
  for (let first = 0; first < last; ) {
    let count = 1;
    let row = parseRow(lines.slice(first, first + count));
    while (row === "open" && first + count < last)
      row = parseRow(lines.slice(first, first + ++count));
    const line = first + 1;
    if (row === "open") rows.push({ line, fault: "a quote is opened and never closed" });
    else if (row === "broken") rows.push({ line, fault: "text follows a closing quote" });
    else if (row.join(",").trim() !== "" || row.length > 1) rows.push({ line, cells: row });
    first += Array.isArray(row) ? count : 1;
  }
  return rows;
}

function parseRow(lines: readonly string[]): string[] | "open" | "broken" {
  const cells: string[] = [];
  let rest = lines.join("\n");
  for (;;) {
    const cell = /^(?:"((?:[^"]|"")*)"(?=,|$)|(?!")([^,]*))/.exec(rest);
    if (!cell) return /^"(?:[^"]|"")*$/.test(rest) ? "open" : "broken";
    cells.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? "");
    rest = rest.slice(cell[0].length);
    if (rest === "") return cells;
    rest = rest.slice(1);
  }
}
