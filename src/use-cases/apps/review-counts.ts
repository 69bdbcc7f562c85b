// Counts of reviews as the pages show them: 1 to 5 stars in order, the average to two decimals.
import type { DayCounts } from "../../database/reviews/review-counts.ts";
import type { SentimentLabel } from "../../domain/review/analysis.ts";

/** Reviews of a range of days. */
export type ReviewCounts = {
  total: number;
  /** Reviews with 1 to 5 stars, in that order. */
  stars: [number, number, number, number, number];
  /** null without reviews. */
  averageRating: number | null;
  analyzed: number;
  sentiment: Record<SentimentLabel, number>;
};

export function noCounts(): DayCounts {
  return { total: 0, stars: [0, 0, 0, 0, 0], positive: 0, neutral: 0, negative: 0, mixed: 0 };
}

export function addCounts(one: DayCounts, other: DayCounts): DayCounts {
  return {
    total: one.total + other.total,
    stars: one.stars.map((count, index) => count + (other.stars[index] ?? 0)),
    positive: one.positive + other.positive,
    neutral: one.neutral + other.neutral,
    negative: one.negative + other.negative,
    mixed: one.mixed + other.mixed,
  };
}

export function toReviewCounts(counts: DayCounts): ReviewCounts {
  const { total, positive, neutral, negative, mixed } = counts;
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = counts.stars;
  const starSum = one + 2 * two + 3 * three + 4 * four + 5 * five;
  return {
    total,
    stars: [one, two, three, four, five],
    averageRating: total === 0 ? null : Math.round((starSum / total) * 100) / 100,
    analyzed: positive + neutral + negative + mixed,
    sentiment: { positive, neutral, negative, mixed },
  };
}
