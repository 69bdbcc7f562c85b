// Parses the review list of Apple's old desktop program: numbers where the RSS feed has strings, and no
// versions.
import type { SourceReview } from "../../domain/review.ts";
import { listAt, numberAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { collectReviews, toSourceReview } from "../source-reviews.ts";
import { plausibleVotes } from "../source-text.ts";
import { dateOf, isReviewId } from "./rss-entry.ts";

/** null: no list of reviews. */
export function parseDesktopReviews(text: string, region: string): SourceReview[] | null {
  const rows = listAt(parseJson(text), "userReviewList");
  return rows && collectReviews(rows, (row) => parseRow(row, region)).reviews;
}

function parseRow(row: unknown, region: string): SourceReview | null {
  const raw = {
    id: textAt(row, "userReviewId"),
    author: valueAt(row, "name"),
    rating: numberAt(row, "rating"),
    title: valueAt(row, "title"),
    text: valueAt(row, "body"),
    country: region,
    date: dateOf(textAt(row, "date")),
    votes: plausibleVotes(numberAt(row, "voteSum")),
  };
  return toSourceReview(raw, isReviewId);
}
