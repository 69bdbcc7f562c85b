// Reads CSV (RFC 4180) as rows that know the line they begin on. A broken row costs only its own first
// line: reading goes on at the line after it. That, and exact line numbers, are why no library is used.
// Time is linear in the input for every input: a line is scanned at most twice, once as the beginning of
// a row and once as the inside of a quoted cell.
import { type Line, lineBytesMax } from "./text-lines.ts";

export type CsvRow =
  | { line: number; cells: string[] }
  /** The fault in the row, in words. */
  | { line: number; fault: string };

// A review's text may have this many line ends; a quote that is never closed stops being followed here.
const rowLinesMax = 5_000;

const unclosed = "a quote is opened and never closed";
const textAfterQuote = "text follows a closing quote";
const tooLong = `the line is longer than ${lineBytesMax} bytes`;

/** No export has as many; a header can name 190,000 in one line. */
export const csvColumnsMax = 200;

/** Where each column of a header is, by its name in lower case; null for more than `csvColumnsMax` columns. */
export function indexColumns(header: readonly string[]): ReadonlyMap<string, number> | null {
  if (header.length > csvColumnsMax) return null;
  return new Map(header.map((name, index) => [name.trim().toLowerCase(), index]));
}

type Separator = "," | ";" | "\t";

/** The separator of a header: spreadsheets of many countries write semicolons, others tabs. */
export function findSeparator(header: string): Separator {
  const counts = ([",", ";", "\t"] as const).map((separator) => ({
    separator,
    count: header.split(separator).length,
  }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}

/** Rows of any length; empty lines are skipped. A stray quote inside a plain cell is text. */
export async function* readCsvRows(
  lines: AsyncIterable<Line>,
  separator: Separator = ",",
): AsyncGenerator<CsvRow> {
  const reader = new RowReader(separator);
  for await (const line of lines) {
    reader.add(line);
    yield* reader.takeRows();
  }
  reader.end();
  yield* reader.takeRows();
}

/** Lines that wait for the end of the row that the first of them begins. */
class RowReader {
  #lines: BufferedLine[] = [];
  /** Index of the line that begins the current row. */
  #first = 0;
  /** Lines between `#first` and this index are known to leave a quoted cell open. */
  #next = 0;
  #length = 0;
  #isAtEnd = false;
  readonly #separator: Separator;

  constructor(separator: Separator) {
    this.#separator = separator;
  }

  add(line: Line): void {
    const startsAt = this.#length;
    this.#length += (line.text?.length ?? 0) + 1;
    this.#lines.push({ ...line, startsAt, endsAt: this.#length });
  }

  /** No line will follow: rows that are still open are broken. */
  end(): void {
    this.#isAtEnd = true;
  }

  *takeRows(): Generator<CsvRow> {
    for (let first = this.#current(); first; first = this.#current()) {
      const row = this.#readRow(first);
      if (row === "needs more lines") return;
      if (!isEmpty(row)) yield row;
    }
  }

  #current(): BufferedLine | undefined {
    if (this.#first > 1_000) {
      this.#lines = this.#lines.slice(this.#first);
      this.#next = Math.max(0, this.#next - this.#first);
      this.#first = 0;
    }
    return this.#lines[this.#first];
  }

  #readRow(first: BufferedLine): CsvRow | "needs more lines" {
    const beginning = this.#scanBeginning(first);
    if (beginning.end === "open") return this.#readOpenRow(first, beginning);
    if (beginning.end === "broken") return this.#break(first, beginning.fault);
    this.#first += 1;
    return { line: first.number, cells: beginning.cells };
  }

  #readOpenRow(first: BufferedLine, beginning: Scan): CsvRow | "needs more lines" {
    this.#next = Math.max(this.#next, this.#first + 1);
    for (let line = this.#lines[this.#next]; line; line = this.#lines[++this.#next]) {
      const isTooLong =
        line.endsAt - first.startsAt > lineBytesMax || this.#next - this.#first >= rowLinesMax;
      if (isTooLong) return this.#break(first, unclosed);
      const inside = this.#scanInside(line);
      if (inside.end === "broken") return this.#break(first, inside.fault);
      if (inside.end === "whole") return this.#finish(first, beginning);
    }
    return this.#isAtEnd ? this.#break(first, unclosed) : "needs more lines";
  }

  #break(first: BufferedLine, fault: string): CsvRow {
    this.#first += 1;
    return { line: first.number, fault };
  }

  #finish(first: BufferedLine, beginning: Scan): CsvRow {
    const cells = [...beginning.cells];
    for (const line of this.#lines.slice(this.#first + 1, this.#next + 1)) {
      const [continued = "", ...further] = this.#scanInside(line).cells;
      cells[cells.length - 1] += `\n${continued}`;
      cells.push(...further);
    }
    this.#first = this.#next + 1;
    return { line: first.number, cells };
  }

  #scanBeginning(line: BufferedLine): Scan {
    line.beginning ??= this.#scan(line.text, { isQuoted: false, fault: tooLong });
    return line.beginning;
  }

  /** As a line that begins inside a quoted cell; the first of its cells continues that one. */
  #scanInside(line: BufferedLine): Scan {
    line.inside ??= this.#scan(line.text, { isQuoted: true, fault: unclosed });
    return line.inside;
  }

  #scan(text: string | null, { isQuoted, fault }: { isQuoted: boolean; fault: string }): Scan {
    return text === null ? broken(fault) : scanLine(text, { isQuoted, separator: this.#separator });
  }
}

/** The result of a line: the row is whole at its end, a quoted cell is open there, or it can't be read. */
type Scan = { end: "whole" | "open" | "broken"; cells: string[]; fault: string };

/** A line with what scanning it gave, so that nothing is scanned again. */
type BufferedLine = Line & { startsAt: number; endsAt: number; beginning?: Scan; inside?: Scan };

function broken(fault: string): Scan {
  return { end: "broken", cells: [], fault };
}

function scanLine(
  text: string,
  { isQuoted, separator }: { isQuoted: boolean; separator: Separator },
): Scan {
  const end = text.endsWith("\r") ? text.length - 1 : text.length;
  const cells: string[] = [];
  let at = 0;
  let isInQuotes = isQuoted;
  for (;;) {
    if (!isInQuotes && text[at] !== '"') {
      const cellEnd = indexOrEnd(text, { of: separator, from: at, end });
      cells.push(text.slice(at, cellEnd));
      at = cellEnd;
    } else {
      const cell = scanQuoted(text, { from: isInQuotes ? at : at + 1, end });
      cells.push(cell.text);
      // Inside quotes, the carriage return belongs to the text.
      if (cell.isOpen) return { end: "open", cells, fault: "" };
      if (cell.endsAt < end && text[cell.endsAt] !== separator) return broken(textAfterQuote);
      at = cell.endsAt;
    }
    isInQuotes = false;
    if (at >= end) return { end: "whole", cells, fault: "" };
    at += 1;
    if (at === end) return { end: "whole", cells: [...cells, ""], fault: "" };
  }
}

type QuotedCell = { text: string; isOpen: boolean; endsAt: number };

/** The text of a quoted cell from behind its opening quote; two quotes inside quotes are one. */
function scanQuoted(text: string, { from, end }: { from: number; end: number }): QuotedCell {
  let cell = "";
  for (let at = from; ; ) {
    const quote = indexOrEnd(text, { of: '"', from: at, end });
    if (quote === end) return { text: cell + text.slice(at), isOpen: true, endsAt: end };
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { text: cell, isOpen: false, endsAt: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
}

function indexOrEnd(
  text: string,
  { of, from, end }: { of: string; from: number; end: number },
): number {
  const index = text.indexOf(of, from);
  return index === -1 || index > end ? end : index;
}

function isEmpty(row: CsvRow): boolean {
  return "cells" in row && row.cells.length === 1 && row.cells[0]?.trim() === "";
}
