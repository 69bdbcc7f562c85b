// Training rows of the topic classifier: app reviews that people labelled with topics.
import { topicBucket } from "../src/analysis/topic-classifier.ts";
import type { Topic } from "../src/domain/topics.ts";
import { type DataRow, readRows } from "./data-rows.ts";
import { readDevelopmentGold } from "./gold-rows.ts";
import { featureBuckets } from "./sentiment-rows.ts";
import type { TrainingRow } from "./softmax-trainer.ts";
import { distinctRows } from "./sources.ts";

/** Those that the classifier learns. */
export const classifiedTopics = ["bug", "feature_request"] as const satisfies readonly Topic[];

/** The languages of the rows of `topicSources`. */
export const classifiedLanguages = ["en", "fr"];

/** Permissive sources in which every row was read for each of `classifiedTopics`. */
export const topicSources = ["mini_bar", "maalej_artc"];

const goldSource = "gold";
// Few rows beside thousands of one or two apps, but of all kinds of apps and in our own definitions.
const goldWeight = 3;
/** The group of our own gold, whose biases the analysis uses. */
export const goldGroup = 0;
const otherGroup = 1;

/** The rows of our own gold that train. */
export function readGoldTopicRows(): DataRow[] {
  return readDevelopmentGold()
    .filter(({ language }) => classifiedLanguages.includes(language))
    .map(({ text, language, topics }) => ({
      source: goldSource,
      kind: "app_review",
      text,
      lang: language,
      topics_gold: topics,
    }));
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
    weight: row.source === goldSource ? goldWeight : 1,
    biasGroup: row.source === goldSource ? goldGroup : otherGroup,
  };
}

// One source is English and does not say so.
export function topicLanguage({ lang }: DataRow): string {
  return lang ?? "en";
}
