// The opinion on one topic of a review: what the clauses say that mention it. "Great maps, but it crashes" is
// good about one topic and bad about another.

import type { Topic } from "../domain/topics.ts";
import type { ScoredClause } from "./sentiment.ts";
import type { TopicMatch } from "./topics.ts";

/**
 * From -1 to 1: the mean over the clauses with a mention. Where no clause tells, as beyond the opening or
 * for a topic without words, it is the score of the review.
 */
export function scoreTopic(
  topic: Topic,
  review: {
    matches: readonly TopicMatch[];
    clauses: readonly ScoredClause[];
    score: number;
  },
): number {
  const mentions = review.matches.filter((match) => match.topic === topic);
  const telling = review.clauses.filter(({ start, end }) =>
    mentions.some((match) => match.start < end && start < match.end),
  );
  if (telling.length === 0) return review.score;
  const sum = telling.reduce((total, { score }) => total + score, 0);
  // As many digits as scores have; `|| 0` turns -0 into 0.
  return Math.round((sum / telling.length) * 10_000) / 10_000 || 0;
}
