// An exported review as a line of CSV: flat columns, lists and versions as JSON.
import { formatCsvLine, neutralizeFormula } from "../lib/csv-cell.ts";
import type { ExportedReview } from "../use-cases/imports/export-reviews.ts";

const columns = `
  id store externalAppId author rating title text translatedText translatedFrom
  version country date sentimentLabel sentimentScore topics ownTopics topicScores storeId
  language languageHint analysisVersion analysisProvider votes clauseMin clauseMax device osVersion
  submittedAt firstSeenAt editedAt isDateAssumed isListed removedAt replyText replyDate versions
`
  .trim()
  .split(/\s+/);

function toRow(review: ExportedReview): Readonly<Record<string, unknown>> {
  const { sentiment, topics, ownTopics, topicScores, versions } = review;
  return {
    ...review,
    sentimentLabel: sentiment?.label,
    sentimentScore: sentiment?.score,
    topics: JSON.stringify(topics),
    ownTopics: JSON.stringify(ownTopics),
    topicScores: topicScores && JSON.stringify(topicScores),
    versions: JSON.stringify(versions),
  };
}

export const csvHeader = formatCsvLine(columns);

/** `isRaw` keeps texts as they are, also those that a spreadsheet would run as formulas. */
export function formatReviewLine(review: ExportedReview, isRaw: boolean): string {
  const row = toRow(review);
  const cells = columns.map((name) => row[name] ?? "");
  return formatCsvLine(
    cells.map((cell) =>
      typeof cell === "string" && !isRaw ? neutralizeFormula(cell) : String(cell),
    ),
  );
}
