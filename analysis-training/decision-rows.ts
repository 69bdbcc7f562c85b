// Rows to train the decisions on sentiment and topics with: our own gold, read with weights and word lists that do not
// know it. Weights are always right about their own rows, so the decisions would trust them too much.
import { detectLanguage } from "../src/analysis/language-detector.ts";
import { findListed, type ListedPhrases } from "../src/analysis/lexicon.ts";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import { readSentiment } from "../src/analysis/sentiment.ts";
import { listStarSignals, listTextSignals, onlyAsks } from "../src/analysis/sentiment-decision.ts";
import type { SentimentHead, SentimentModel } from "../src/analysis/sentiment-model.ts";
import { type Token, tokenize } from "../src/analysis/tokens.ts";
import {
  listColumnSignals,
  listTopicSignals,
  type TopicModel,
} from "../src/analysis/topic-classifier.ts";
import type { SentimentLabel } from "../src/domain/review/analysis.ts";
import type { Topic } from "../src/domain/review/topics.ts";
import { type GoldRow, goldKey, readDevelopmentGold, writtenOrigin } from "./gold-rows.ts";
import { textHash } from "./random.ts";
import { trainSentiment } from "./sentiment-trainer.ts";
import { trainTopicColumns } from "./topic-model.ts";
import type { ClassifiedTopic } from "./topic-rows.ts";

export type DecisionRow = {
  signals: number[];
  /** Star signals: those of none, and the row's own if they count. */
  stars: [number, number, number][];
  sentiment: SentimentLabel;
  topicSignals: Readonly<Record<ClassifiedTopic, number[]>>;
  topics: readonly Topic[];
  weight: number;
};

const foldCount = 4;

/** @param zeroPoints of the weights for all rows: those of a fold would be nearly the same */
export function readDecisionRows(zeroPoints: SentimentHead["zeroPoints"]): DecisionRow[] {
  const rows = readDevelopmentGold().map(prepare);
  const words = foldsByPhrase(rows, ({ listed }) => listed.words);
  const mentions = foldsByPhrase(rows, ({ listed }) => listed.mentions);
  return Array.from({ length: foldCount }, (_, fold) => {
    const isRowLeftOut = (text: string) => foldOf(text) === fold;
    const topicModel = trainTopicColumns(isRowLeftOut);
    const model = trainSentiment({
      isRowLeftOut,
      isPhraseLeftOut: (phrase) => isLeftOut(words, { phrase, fold }),
    });
    const head = { ...model.head, zeroPoints };
    return rows
      .filter((row) => row.fold === fold)
      .map((row) => {
        const isKept = (folds: FoldsByPhrase) => (match: Match) =>
          !isLeftOut(folds, { phrase: row.text.slice(match.start, match.end), fold });
        const listed = {
          ...row.listed,
          words: row.listed.words.filter(isKept(words)),
          mentions: row.listed.mentions.filter(isKept(mentions)),
        };
        return toDecisionRow(
          { ...row, listed },
          { sentiment: { ...model, head }, topics: topicModel },
        );
      });
  }).flat();
}

/** Sister rows, which tell one idea in several languages, are in one fold only by chance, as in the deciding third. */
function foldOf(text: string): number {
  // The deciding third is chosen by the remainder of three.
  return Math.floor(textHash(goldKey(text)) / 3) % foldCount;
}

type PreparedRow = {
  gold: GoldRow;
  fold: number;
  text: string;
  language: string;
  tokens: Token[];
  listed: ListedPhrases;
};

function prepare(gold: GoldRow): PreparedRow {
  const text = normalizeReview({ title: null, text: gold.text })?.opening ?? "";
  const tokens = tokenize(text);
  const language = detectLanguage({ text, tokens }, null);
  const listed = findListed({ text, opening: text }, language);
  return { gold, fold: foldOf(gold.text), text, language, tokens, listed };
}

// People wrote them of their own accord, and gave their stars themselves.
const storeReviewWeight = 2;

function toDecisionRow(
  row: PreparedRow,
  models: { sentiment: SentimentModel; topics: TopicModel },
): DecisionRow {
  const { gold, language, listed } = row;
  const { reading, buckets } = readSentiment(row, models.sentiment);
  const signals = listTextSignals(reading);
  const topicReading = {
    signals,
    named: new Set(listed.mentions.map(({ topic }) => topic)),
    columns: listColumnSignals({ buckets, language }, models.topics),
  };
  return {
    signals,
    stars: [0, gold.stars ?? 0]
      .slice(0, gold.stars === null || onlyAsks(reading) ? 1 : 2)
      .map(listStarSignals),
    sentiment: gold.sentiment,
    topicSignals: {
      bug: listTopicSignals("bug", topicReading),
      feature_request: listTopicSignals("feature_request", topicReading),
      praise: listTopicSignals("praise", topicReading),
    },
    topics: gold.topics,
    weight: gold.origin === writtenOrigin ? 1 : storeReviewWeight,
  };
}

type Match = { start: number; end: number };
type FoldsByPhrase = ReadonlyMap<string, ReadonlySet<number>>;

function foldsByPhrase(
  rows: readonly PreparedRow[],
  matchesOf: (row: PreparedRow) => readonly Match[],
): FoldsByPhrase {
  const folds = new Map<string, Set<number>>();
  for (const row of rows) {
    for (const { start, end } of matchesOf(row)) {
      const phrase = row.text.slice(start, end);
      folds.set(phrase, (folds.get(phrase) ?? new Set()).add(row.fold));
    }
  }
  return folds;
}

// The lists were mended by these rows. Phrases that no other fold has may be there for one row alone; without a third of
// them the former rules were as right about these rows as about the deciding ones.
const leftOutShare = 0.35;

function isLeftOut(
  folds: FoldsByPhrase,
  { phrase, fold }: { phrase: string; fold: number },
): boolean {
  const found = folds.get(phrase);
  const isOfThisFold = found?.size === 1 && found.has(fold);
  return isOfThisFold && (textHash(phrase) % 1_000) / 1_000 < leftOutShare;
}
