// Training rows of the topic classifier: app reviews that people labelled with topics.
import { topicBucket } from "../src/analysis/topic-classifier.ts";
import type { Topic } from "../src/domain/review/topics.ts";
import { type DataRow, readRows } from "./data-rows.ts";
import { fullText, readDevelopmentGold } from "./gold-rows.ts";
import { featureBuckets } from "./sentiment-rows.ts";
import type { TrainingRow } from "./softmax-trainer.ts";
import { distinctRows, isTrainable } from "./sources.ts";

/** Those that the classifier learns. */
export const classifiedTopics = [
  "bug",
  "feature_request",
  "praise",
] as const satisfies readonly Topic[];
export type ClassifiedTopic = (typeof classifiedTopics)[number];

/** The languages of our labelled store reviews. */
export const classifiedLanguages = ["en", "fr", "ru"];

/** Permissive sources in which every row was read for each of `sourceTopics`. */
export const topicSources = ["mini_bar", "maalej_artc"];
const sourceTopics: readonly Topic[] = ["bug", "feature_request"];

const goldSource = "gold";
/** The group of our own gold, whose biases the analysis uses. */
export const goldGroup = 0;
const otherGroup = 1;

/** @param isLeftOut rows to leave out, by their text */
export function readColumnRows(isLeftOut: (text: string) => boolean = () => false): DataRow[] {
  const others = readTopicRows().filter(
    (row) => topicSources.includes(row.source) && isTrainable(row),
  );
  return [...others.filter((row) => !isLeftOut(fullText(row))), ...readGoldTopicRows(isLeftOut)];
}

function readGoldTopicRows(isLeftOut: (text: string) => boolean): DataRow[] {
  return readDevelopmentGold()
    .filter(({ text }) => !isLeftOut(text))
    .map(({ text, language, topics }) => ({
      source: goldSource,
      kind: "app_review",
      text,
      lang: language,
      topics_gold: topics,
    }));
}

/** Whether the row was read for the topic. */
export function isReadFor({ source }: DataRow, topic: Topic): boolean {
  return source === goldSource || sourceTopics.includes(topic);
}

export const isTopic = 1;
const isNone = 0;

export function readTopicRows(): DataRow[] {
  return distinctRows(readRows("topics-gold"));
}

/** Labelled reviews that are not among those of `readTopicRows`: only for measuring. */
export function readTopicRowsApart(): DataRow[] {
  const keyOf = (row: DataRow) => `${row.source}\n${row.title ?? ""}\n${row.text}`;
  const known = new Set(readTopicRows().map(keyOf));
  const reviews = [...readRows("app-reviews-dated"), ...readRows("app-reviews-undated")];
  return distinctRows(reviews.filter((row) => row.topics_gold && !known.has(keyOf(row))));
}

export function topicRow(row: DataRow, topic: Topic): TrainingRow {
  const buckets = featureBuckets({ ...row, language: topicLanguage(row) });
  return {
    buckets: Uint32Array.from(buckets, topicBucket),
    target: row.topics_gold?.includes(topic) ? isTopic : isNone,
    classes: [isNone, isTopic],
    weight: 1,
    biasGroup: row.source === goldSource ? goldGroup : otherGroup,
  };
}

// One source is English and does not say so.
export function topicLanguage({ lang }: DataRow): string {
  return lang ?? "en";
}
