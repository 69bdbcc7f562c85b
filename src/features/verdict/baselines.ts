// The past of a release in the words of its verdict: the reviews of the days before it.
import type { Verdict } from "../../domain/changes/verdict.ts";
import type { BaselineCounts } from "../../use-cases/apps/releases.ts";

/** The reviews before a release that answer a question of verdicts with yes. */
export function countBaseline(before: BaselineCounts, question: string): number {
  if (question === "negative") return before.sentiment.negative;
  const [oneStar, twoStars] = before.stars;
  if (question === "low_stars") return oneStar + twoStars;
  return before.topics.find(({ topic }) => topic === question)?.negative ?? 0;
}

export function toBefore(before: BaselineCounts | null): Verdict["before"] {
  return before && { from: before.from, to: before.to, total: before.total };
}
