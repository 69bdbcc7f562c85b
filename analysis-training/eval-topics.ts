// Measures topics against labels of people: as shipped, by the phrase lists alone, and with a classifier
// that saw no row of the same source. And how many complaints have no topic at all.
import { analyzeReview } from "../src/analysis/analyze.ts";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import { findClassified, type TopicModel } from "../src/analysis/topic-classifier.ts";
import { findTopics, type Topic } from "../src/analysis/topics.ts";
import type { DataRow } from "./data-rows.ts";
import { complaintSets } from "./eval-rows.ts";
import { formatPercent, formatTable, shareOf } from "./figures.ts";
import { featureBuckets } from "./sentiment-rows.ts";
import { isHeldOut } from "./sources.ts";
import { trainTopicModel } from "./topic-model.ts";
import { readTopicRows, topicLanguage, topicSources } from "./topic-rows.ts";

type LabelledSource = {
  source: string;
  language: string;
  /** Our topics that the source was labelled for, with the source's labels for each. */
  labels: readonly (readonly [Topic, readonly string[]])[];
};

const bug = ["bug", ["bug"]] as const;
const featureRequest = ["feature_request", ["feature_request"]] as const;
const performance = ["performance", ["performance"]] as const;

const sources: readonly LabelledSource[] = [
  { source: "mini_bar", language: "en", labels: [bug, featureRequest] },
  { source: "mini_bar", language: "fr", labels: [bug, featureRequest] },
  { source: "maalej_artc", language: "en", labels: [bug, featureRequest] },
  {
    source: "mable",
    language: "en",
    labels: [bug, ["crash", ["crash"]], performance, ["update", ["update_install"]]],
  },
  {
    source: "egardner_real",
    language: "en",
    labels: [["ui", ["ui"]], ["content", ["content"]], featureRequest],
  },
  {
    source: "leoudah_id_publicservice",
    language: "id",
    labels: [bug, featureRequest, ["login", ["login"]], performance, ["payment", ["payment"]]],
  },
];

/** Precision, recall and F1 in per cent, on rows that the shipped classifier was not trained with. */
export function topicTable(): string {
  const rows = readTopicRows();
  const otherModels = new Map(
    topicSources.map((source) => [
      source,
      trainTopicModel(
        rows.filter((row) => topicSources.includes(row.source) && row.source !== source),
      ),
    ]),
  );
  const lines = sources.flatMap(({ source, language, labels }) => {
    const own = rows.filter((row) => row.source === source && topicLanguage(row) === language);
    const measured = own.filter((row) => !topicSources.includes(source) || isHeldOut(row));
    const shipped = measured.map(shippedTopics);
    const words = measured.map(wordTopics);
    const other = measured.map((row, at) => [
      ...(words[at] ?? []),
      ...otherTopics(row, otherModels.get(source)),
    ]);
    return labels.map(([topic, names]) => {
      const isTrue = measured.map(({ topics_gold: gold = [] }) =>
        names.some((name) => gold.includes(name)),
      );
      const scoreOf = (found: string[][]) =>
        fOne(
          isTrue,
          found.map((list) => list.includes(topic)),
        );
      return [
        `${source} ${language}`,
        topic,
        String(measured.length),
        String(isTrue.filter(Boolean).length),
        ...formatScore(scoreOf(shipped)),
        ...formatScore(scoreOf(words)).slice(2),
        ...(otherModels.has(source) ? formatScore(scoreOf(other)).slice(2) : [""]),
      ];
    });
  });
  const head = ["source", "topic", "n", "with it", "P", "R", "F1", "F1 words", "F1 other sources"];
  return formatTable(head, lines);
}

/** Reviews of one and two stars and 40 characters or more. */
export function withoutTopicTable(): string {
  const lines = complaintSets().map(({ language, rows }) => [
    language,
    String(rows.length),
    formatPercent(shareOf(rows, (row) => shippedTopics(row).length === 0)),
  ]);
  return formatTable(["language", "n", "without a topic, %"], lines);
}

// Ratings are left out, because some sources have none.
function shippedTopics({ title = null, text }: DataRow): string[] {
  return analyzeReview({ title, text, rating: 0, languageHint: null }).topics;
}

function wordTopics(row: DataRow): string[] {
  const text = normalizeReview({ title: row.title ?? null, text: row.text })?.text ?? "";
  return findTopics(text, topicLanguage(row)).map(({ topic }) => topic);
}

function otherTopics(row: DataRow, model: TopicModel | undefined): string[] {
  if (model === undefined) return [];
  const language = topicLanguage(row);
  return findClassified(model, { buckets: featureBuckets({ ...row, language }), language });
}

type Score = { precision: number; recall: number; f1: number };

function fOne(isTrue: readonly boolean[], isFound: readonly boolean[]): Score {
  const both = isTrue.filter((truth, at) => truth && isFound[at]).length;
  const trueCount = isTrue.filter(Boolean).length;
  const foundCount = isFound.filter(Boolean).length;
  return {
    precision: both / Math.max(1, foundCount),
    recall: both / Math.max(1, trueCount),
    f1: (2 * both) / Math.max(1, trueCount + foundCount),
  };
}

function formatScore({ precision, recall, f1 }: Score): string[] {
  return [precision, recall, f1].map(formatPercent);
}
