// The opinion on each topic of a review: what the clauses say that mention it. "Great maps, but it crashes" is
// good about one topic and bad about another.
import type { Topic } from "../domain/review/topics.ts";
import type { ScoredClause } from "./clauses.ts";
import { roundScore } from "./sentiment-decision.ts";
import type { TopicMatch } from "./topics.ts";

type TopicScoreInput = {
  matches: readonly TopicMatch[];
  clauses: readonly ScoredClause[];
  /** The score of the whole review. */
  score: number;
  /** 1 to 5; anything else is not a rating. */
  rating: number;
};

// Mentions of them are complaints, mostly without sentiment words: "closes by itself".
const complaintTopics: ReadonlySet<Topic> = new Set(["bug", "crash", "battery"]);
const complaintLean = -0.3;
/** A mention in a review of five stars is rather friendly: "no more crashes". */
const leanPerStar = 0.15;
const middleRating = 3;

/**
 * In the order of the topics, from -1 to 1. A topic without an opinion in any clause, as beyond the opening, has the
 * score of the review.
 */
export function scoreTopics(topics: readonly Topic[], review: TopicScoreInput): number[] {
  const hasRating = review.rating >= 1 && review.rating <= 5;
  const stars = hasRating ? leanPerStar * (review.rating - middleRating) : 0;
  return topics.map((topic) => {
    const mean = meanOfMentions(topic, review);
    if (mean === null) return review.score;
    const byWords = mean + (complaintTopics.has(topic) ? complaintLean : 0);
    return roundScore(Math.max(-1, Math.min(1, byWords + stars)));
  });
}

/** The mean score of the clauses with a mention; null without one. */
function meanOfMentions(topic: Topic, { matches, clauses }: TopicScoreInput): number | null {
  let sum = 0;
  let count = 0;
  let lowest = 0;
  for (const clause of clauses) {
    lowest = Math.min(lowest, clause.score);
    if (!isMentioned(topic, { matches, clause })) continue;
    sum += clause.score;
    count += 1;
  }
  if (count > 0) return sum / count;
  // It was decided without a word for it: a bug is what the worst clause speaks of.
  const isWithoutWords = topic === "bug" && matches.every((match) => match.topic !== topic);
  return isWithoutWords && clauses.length > 0 ? lowest : null;
}

function isMentioned(
  topic: Topic,
  { matches, clause }: { matches: readonly TopicMatch[]; clause: ScoredClause },
): boolean {
  for (const match of matches) {
    const isInside = match.start < clause.end && clause.start < match.end;
    if (isInside && match.topic === topic) return true;
  }
  return false;
}
