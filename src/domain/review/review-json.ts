// A review as JSON, in the part that the read API, the dashboard and exports share. Times are ISO 8601 in UTC.
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { SentimentLabel } from "./analysis.ts";
import type { Review, ReviewVersion } from "./review.ts";

type Stated = Pick<Review, "author" | "rating" | "title" | "text" | "version" | "country">;
type Translated = { translatedText: string | null; translatedFrom: string | null };

export type ReviewJson = Stated &
  Translated & {
    date: string;
    sentiment: { label: SentimentLabel; score: number } | null;
  };

export function toReviewJson(
  review: Stated &
    Translated & { date: Date; sentiment: SentimentLabel | null; sentimentScore: number | null },
): ReviewJson {
  const { author, rating, title, text, translatedText, translatedFrom, version, country } = review;
  const { date, sentiment, sentimentScore } = review;
  return {
    author,
    rating,
    title,
    text,
    translatedText,
    translatedFrom,
    version,
    country,
    date: formatTimestamp(date),
    sentiment: sentiment && { label: sentiment, score: sentimentScore ?? 0 },
  };
}

/** A review before one of its edits. */
type VersionJson = Pick<ReviewVersion, "rating" | "title" | "text" | "version"> & {
  date: string;
  replacedAt: string;
};

export function toVersionJson(before: ReviewVersion): VersionJson {
  const { rating, title, text, version, date, replacedAt } = before;
  const times = { date: formatTimestamp(date), replacedAt: formatTimestamp(replacedAt) };
  return { rating, title, text, version, ...times };
}
