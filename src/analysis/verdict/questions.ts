// The questions that a verdict asks of each review, and its answers as bits.
import type { Topic } from "../../domain/topics.ts";
import { topicNames } from "../../domain/topics.ts";
import type { Question } from "./test-release.ts";

const complaintTopics: readonly Topic[] = topicNames.filter((topic) => topic !== "praise");

/** Half of the allowed false alarms for complaints of a topic, and a quarter for each of the others. */
export const verdictQuestions: readonly Question[] = [
  { name: "negative", weight: 1 / 4 },
  { name: "low_stars", weight: 1 / 4 },
  ...complaintTopics.map((name) => ({ name, weight: 1 / 2 / complaintTopics.length })),
];
