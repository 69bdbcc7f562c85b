// Exported reviews as CSV: one format for the command, the API and the dashboard, which an import reads. docs/import-format.md
// describes it.
import { formatCsvLine, neutralizeFormula } from "../../lib/csv-cell.ts";

type Row = Readonly<Record<string, unknown>>;

/** Excel takes a file without it for one in the local encoding. */
export const byteOrderMark = "\ufeff";

/** @param options.isRaw keeps texts as they are, also those that a spreadsheet would run as formulas */
export function createReviewCsv(
  columns: readonly string[],
  { isRaw = false }: { isRaw?: boolean } = {},
): { header: string; formatLine(review: Row): string } {
  const toText = isRaw ? (text: string) => text : neutralizeFormula;
  return {
    header: formatCsvLine(columns),
    formatLine(review) {
      const flat = flatten(review);
      return formatCsvLine(columns.map((name) => formatCell(flat[name], toText)));
    },
  };
}

/** The label and score of the sentiment, and text and date of the reply, in columns of their own. */
function flatten(review: Row): Row {
  const { sentiment, reply } = review;
  const { label, score } = partsOf(sentiment);
  const { text, at } = partsOf(reply);
  return {
    replyText: text,
    replyDate: at,
    sentimentLabel: label,
    sentimentScore: score,
    ...review,
    ...(typeof sentiment === "object" && { sentiment: label }),
    ...(typeof reply === "object" && { reply: text }),
  };
}

function partsOf(value: unknown): Row {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Lists of words have spaces between them; other lists, and objects, are JSON. */
function formatCell(value: unknown, toText: (text: string) => string): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return typeof value === "string" ? toText(value) : String(value);
  const isWords = Array.isArray(value) && value.every((item) => /^\S*$/.test(String(item ?? "")));
  return toText(isWords ? value.join(" ").trim() : JSON.stringify(value));
}
