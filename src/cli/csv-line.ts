// An exported review as a line of CSV: flat columns, lists and versions as JSON.
import { formatCsvLine, neutralizeFormula } from "../lib/csv-cell.ts";
import type { ExportedReview } from "../use-cases/imports/export-reviews.ts";

const columns: readonly [name: string, value: (review: ExportedReview) => unknown][] = [
  ["id", (review) => review.id],
  ["store", (review) => review.store],
  ["externalAppId", (review) => review.externalAppId],
  ["author", (review) => review.author],
  ["rating", (review) => review.rating],
  ["title", (review) => review.title],
  ["text", (review) => review.text],
  ["translatedText", (review) => review.translatedText],
  ["translatedFrom", (review) => review.translatedFrom],
  ["version", (review) => review.version],
  ["country", (review) => review.country],
  ["date", (review) => review.date],
  ["sentimentLabel", (review) => review.sentiment?.label],
  ["sentimentScore", (review) => review.sentiment?.score],
  ["topics", (review) => JSON.stringify(review.topics)],
  ["topicScores", (review) => review.topicScores && JSON.stringify(review.topicScores)],
  ["storeId", (review) => review.storeId],
  ["language", (review) => review.language],
  ["clauseMin", (review) => review.clauseMin],
  ["clauseMax", (review) => review.clauseMax],
  ["device", (review) => review.device],
  ["osVersion", (review) => review.osVersion],
  ["submittedAt", (review) => review.submittedAt],
  ["removedAt", (review) => review.removedAt],
  ["versions", (review) => JSON.stringify(review.versions)],
];

export const csvHeader = formatCsvLine(columns.map(([name]) => name));

/** `isRaw` keeps texts as they are, also those that a spreadsheet would run as formulas. */
export function formatReviewLine(review: ExportedReview, isRaw: boolean): string {
  const cells = columns.map(([, value]) => value(review) ?? "");
  return formatCsvLine(
    cells.map((cell) =>
      typeof cell === "string" && !isRaw ? neutralizeFormula(cell) : String(cell),
    ),
  );
}
