// An exported review as a line of CSV (RFC 4180): flat columns, lists and versions as JSON.
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
  ["storeId", (review) => review.storeId],
  ["language", (review) => review.language],
  ["clauseMin", (review) => review.clauseMin],
  ["clauseMax", (review) => review.clauseMax],
  ["versions", (review) => JSON.stringify(review.versions)],
];

export const csvHeader = formatLine(columns.map(([name]) => name));

export function formatCsvLine(review: ExportedReview): string {
  return formatLine(columns.map(([, value]) => String(value(review) ?? "")));
}

function formatLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(",")}\r\n`;
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
