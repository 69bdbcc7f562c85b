// Cells of CSV (RFC 4180) for people who open the file in a spreadsheet.

// Spreadsheets run cells that begin like a formula, also in full-width characters and behind blanks, marks
// and characters without width, and anyone can write a review. Where semicolons or tabs separate cells, quotes in the
// middle of a cell mean nothing, and another cell begins after each of them. Apostrophes before a formula count as part
// of it, so that the added one can be taken off again.
const begins = String.raw`(?<=^|;|\S\t)`;
const follows = String.raw`(?='*[\s\u00a0\u200b-\u200f\u2060\ufeff]*[=+\-@\t\r\n＝＋－＠|])`;
const formula = new RegExp(`${begins}${follows}`, "g");
const neutralized = new RegExp(`${begins}'${follows}`, "g");

/** Text that no spreadsheet takes for a formula. */
export function neutralizeFormula(text: string): string {
  return text.replace(formula, "'");
}

/** The text before `neutralizeFormula`. */
export function restoreFormula(text: string): string {
  return text.replace(neutralized, "");
}

/**
 * A line with its end. Cells with semicolons and tabs are quoted, too: with them as separators, as
 * spreadsheets of many countries have them, one cell would become two.
 */
export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(",")}\r\n`;
}

function quoteCell(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
