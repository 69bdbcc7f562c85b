// The columns of reviews that the command exports as CSV.
import { createReviewCsv } from "../domain/review-csv.ts";
import type { ExportedReview } from "../use-cases/imports/export-reviews.ts";

const columns = `
  id store externalAppId author rating title text translatedText translatedFrom
  version country date sentimentLabel sentimentScore topics ownTopics topicScores storeId
  language languageHint analysisVersion analysisProvider votes clauseMin clauseMax device osVersion
  submittedAt firstSeenAt editedAt isDateAssumed isListed removedAt replyText replyDate versions
`
  .trim()
  .split(/\s+/);

const safe = createReviewCsv(columns);
const raw = createReviewCsv(columns, { isRaw: true });

export const csvHeader = safe.header;

/** `isRaw` keeps texts as they are, also those that a spreadsheet would run as formulas. */
export function formatReviewLine(review: ExportedReview, isRaw: boolean): string {
  return (isRaw ? raw : safe).formatLine(review);
}
