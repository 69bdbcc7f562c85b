// CSV (RFC 4180) as rows that know the line they begin on. A broken row costs only itself: reading goes
// on at the line after its first. That and exact line numbers are why no library stands here.
import { type Line, lineBytesMax } from "./text-lines.ts";

export type CsvRow =
  | { line: number; cells: string[] }
  /** What is wrong with the row, in words. */
  | { line: number; fault: string };

/** Rows of any length; empty lines are passed over. A stray quote inside a plain cell is text. */
export async function* readCsvRows(lines: AsyncIterable<Line>): AsyncGenerator<CsvRow> {
  let open: OpenRow | null = null;
  for await (const line of lines) {
    // Lines of a row that turned out to be broken are read again, one by one.
    let waiting: Line[] = [line];
    for (let at = 0; at < waiting.length; at++) {
      const next = waiting[at] ?? line;
      const row: OpenRow = open ?? new OpenRow(next.number);
      const state = row.add(next);
      open = state === "open" ? row : null;
      if (state === "whole" && !row.isEmpty) yield { line: row.line, cells: row.cells };
      if (state !== "broken") continue;
      yield { line: row.line, fault: row.fault };
      waiting = [...row.linesAfterFirst, ...waiting.slice(at + 1)];
      at = -1;
    }
  }
  if (open) yield* readAfterUnclosed(open);
}

async function* readAfterUnclosed(row: OpenRow): AsyncGenerator<CsvRow> {
  yield { line: row.line, fault: unclosed };
  const rest = row.linesAfterFirst;
  yield* readCsvRows(
    (async function* () {
      yield* rest;
    })(),
  );
}

const unclosed = "a quote is opened and never closed";
const tooLong = `the line is longer than ${lineBytesMax} bytes`;

type CellState = "start" | "plain" | "quoted" | "closed";

/** A row while its lines come in. */
class OpenRow {
  readonly line: number;
  readonly cells: string[] = [];
  readonly #lines: Line[] = [];
  #cell = "";
  #state: CellState = "start";
  #length = 0;
  fault = "";

  constructor(line: number) {
    this.line = line;
  }

  get linesAfterFirst(): Line[] {
    return this.#lines.slice(1);
  }

  get isEmpty(): boolean {
    return this.cells.length === 1 && this.cells[0]?.trim() === "";
  }

  add(line: Line): "whole" | "open" | "broken" {
    this.#lines.push(line);
    if (line.text === null) return this.#break(tooLong);
    this.#length += line.text.length + 1;
    if (this.#state === "quoted") {
      this.#cell += "\n";
      if (this.#length > lineBytesMax) return this.#break(unclosed);
    }
    const isFine = this.#scan(line.text);
    if (!isFine) return this.#break("text follows a closing quote");
    if (this.#state === "quoted") return "open";
    this.#endCell();
    return "whole";
  }

  #break(fault: string): "broken" {
    // A line that is too long is named by itself when it is read again.
    this.fault = fault === tooLong && this.#lines.length > 1 ? unclosed : fault;
    return "broken";
  }

  #scan(text: string): boolean {
    const end = text.endsWith("\r") ? text.length - 1 : text.length;
    if (this.#state === "start" && !text.includes('"')) {
      this.#addPlainCells(text.slice(0, end));
      return true;
    }
    for (let at = 0; at < end; at++) {
      if (!this.#take(text.charAt(at))) return false;
    }
    // Inside quotes, the carriage return belongs to the text.
    if (this.#state === "quoted" && end < text.length) this.#cell += "\r";
    return true;
  }

  #addPlainCells(text: string): void {
    const cells = text.split(",");
    this.#cell = cells.pop() ?? "";
    this.cells.push(...cells);
  }

  /** False when the character can't stand here. */
  #take(character: string): boolean {
    if (this.#state === "quoted") {
      if (character === '"') this.#state = "closed";
      else this.#cell += character;
    } else if (character === ",") {
      this.#endCell();
    } else if (this.#state === "closed") {
      // Two quotes inside quotes are one.
      if (character !== '"') return false;
      this.#cell += character;
      this.#state = "quoted";
    } else if (this.#state === "start" && character === '"') {
      this.#state = "quoted";
    } else {
      this.#cell += character;
      this.#state = "plain";
    }
    return true;
  }

  #endCell(): void {
    this.cells.push(this.#cell);
    this.#cell = "";
    this.#state = "start";
  }
}
