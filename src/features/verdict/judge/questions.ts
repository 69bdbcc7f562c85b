// The questions that a verdict asks of each review, and the bits of their answers.
import { topicNames } from "../../../domain/review/topics.ts";
import type { Question } from "./test-release.ts";

export const complaintTopics: ReadonlySet<string> = new Set(
  topicNames.filter((topic) => topic !== "praise"),
);

/** Half of the allowed false alarms for complaints of a topic, and a quarter for each of the others. */
export const verdictQuestions: readonly Question[] = [
  { name: "negative", weight: 1 / 4 },
  { name: "low_stars", weight: 1 / 4 },
  ...[...complaintTopics].map((name) => ({ name, weight: 1 / 2 / complaintTopics.size })),
];

const bits = new Map(verdictQuestions.map(({ name }, bit) => [name, 1 << bit]));

/** The bit of a question in the marks of a review; 0 for a name that is not one. */
export function markOf(question: string): number {
  return bits.get(question) ?? 0;
}
