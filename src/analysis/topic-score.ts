// The opinion on one topic of a review: what the clauses say that mention it. "Great maps, but it crashes" is
// good about one topic and bad about another.
import type { Topic } from "../domain/topics.ts";
import type { ScoredClause } from "./sentiment.ts";
import type { TopicMatch } from "./topics.ts";

export type TopicScoreInput = {
  matches: readonly TopicMatch[];
  clauses: readonly ScoredClause[];
  /** Of the whole review. */
  score: number;
  /** 1 to 5; anything else is no rating. */
  rating: number;
};

// Who mentions them complains, mostly in words that are no sentiment words: "closes by itself".
const complaintTopics: ReadonlySet<Topic> = new Set(["bug", "crash", "battery"]);
const complaintLean = -0.3;
/** A mention in a review of five stars is rather friendly: "no more crashes". */
const leanPerStar = 0.15;
const middleRating = 3;

/**
 * From -1 to 1: the mean over the clauses with a mention. Where no clause tells, as beyond the opening or for a
 * topic that the weights found, it is the score of the review; of a bug, that of its worst clause.
 */
export function scoreTopic(topic: Topic, review: TopicScoreInput): number {
  const telling = findTelling(topic, review);
  if (telling.length === 0) return review.score;
  const mean = telling.reduce((sum, { score }) => sum + score, 0) / telling.length;
  const hasRating = review.rating >= 1 && review.rating <= 5;
  const stars = hasRating ? leanPerStar * (review.rating - middleRating) : 0;
  const lean = complaintTopics.has(topic) ? complaintLean : 0;
  const score = Math.max(-1, Math.min(1, mean + stars + lean));
  // As many digits as scores have; `|| 0` turns -0 into 0.
  return Math.round(score * 10_000) / 10_000 || 0;
}

function findTelling(topic: Topic, { matches, clauses }: TopicScoreInput): readonly ScoredClause[] {
  const mentions = matches.filter((match) => match.topic === topic);
  if (mentions.length === 0 && topic === "bug") {
    const worst = Math.min(...clauses.map(({ score }) => score));
    return clauses.filter(({ score }) => score === worst).slice(0, 1);
  }
  return clauses.filter(({ start, end }) =>
    mentions.some((match) => match.start < end && start < match.end),
  );
}
