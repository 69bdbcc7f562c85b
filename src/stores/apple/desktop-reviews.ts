// Parses the review list of Apple's old desktop program: numbers where the RSS feed has strings, and no
// versions.
import { reviewLimits, type SourceReview } from "../../domain/review.ts";
import { listAt, numberAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { isStars, plausibleVotes, sourceText, statedText } from "../source-text.ts";
import { firstOfEach } from "../unique-reviews.ts";
import { dateOf, isReviewId } from "./rss-entry.ts";

/** null: no list of reviews. */
export function parseDesktopReviews(
  text: string,
  region: string,
): { reviews: SourceReview[]; rowCount: number } | null {
  const rows = listAt(parseJson(text), "userReviewList");
  if (rows === null) return null;
  const reviews = rows.map((row) => parseRow(row, region)).filter((review) => review !== null);
  return { reviews: firstOfEach(reviews), rowCount: rows.length };
}

function parseRow(row: unknown, region: string): SourceReview | null {
  const id = textAt(row, "userReviewId");
  const rating = numberAt(row, "rating");
  if (id === null || !isReviewId(id)) return null;
  if (!isStars(rating)) return null;
  return {
    storeReviewId: id,
    author: sourceText(valueAt(row, "name"), reviewLimits.authorMax),
    rating,
    title: statedText(valueAt(row, "title"), reviewLimits.titleMax),
    text: statedText(valueAt(row, "body"), reviewLimits.textMax),
    version: "",
    country: region,
    languageHint: null,
    date: dateOf(textAt(row, "date")),
    votes: plausibleVotes(numberAt(row, "voteSum")),
    reply: null,
  };
}
