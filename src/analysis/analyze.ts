// Analyzes a review in stages: normalized text, tokens, language, sentiment, topics. The same review gets
// the same result in every process, and no input makes it throw.
import type { Analysis, AnalysisInput, Sentiment } from "../domain/review/analysis.ts";
import type { Topic } from "../domain/review/topics.ts";
import { createYield } from "../lib/event-loop-yield.ts";
import { lazy } from "../lib/lazy.ts";
import type { ScoredClause } from "./clauses.ts";
import { type Evidence, toEvidence } from "./evidence.ts";
import { detectLanguage } from "./language-detector.ts";
import { findListed, listLoaders } from "./lexicon.ts";
import { loadLanguageModels } from "./ngram-classifier.ts";
import { type NormalizedText, normalizeReview } from "./normalized-text.ts";
import { scoreSentiment } from "./sentiment.ts";
import { loadSentimentModel } from "./sentiment-model.ts";
import { loadSpelling } from "./spelling.ts";
import { tokenize } from "./tokens.ts";
import { classifyTopics, loadTopicModel } from "./topic-classifier.ts";
import { scoreTopics } from "./topic-score.ts";
import type { TopicMatch } from "./topics.ts";

/** Raised with every change that may give other results, so that stored analyses are renewed. */
export const analysisVersion = 17;

export function analyzeReview(input: AnalysisInput): Analysis {
  const { language, sentiment, clauses, matches, decidedTopics } = runStages(input);
  const { rating } = input;
  const topics = [...new Set([...matches.map(({ topic }) => topic), ...decidedTopics])].sort();
  const score = sentiment?.score ?? 0;
  const topicScores = scoreTopics(topics, { matches, clauses, score, rating });
  return { language, sentiment, topics, topicScores, version: analysisVersion };
}

/**
 * Reads all models and lists, in turns. The first text of no known language, such as "ok" or an emoji, needs all of them, and the
 * half second that this takes would be one turn.
 */
export const loadAnalysis = lazy(async () => {
  const yieldNow = createYield();
  const models = [loadLanguageModels, loadSentimentModel, loadTopicModel, loadSpelling];
  for (const load of [...models, ...listLoaders]) {
    load();
    await yieldNow();
  }
});

/** Names this file for the work pool. */
export const analyzeWork = import.meta.url;

/** The evidence of each review, in their order. */
export function listTopicEvidence(inputs: readonly AnalysisInput[]): Evidence[][] {
  return inputs.map(findTopicEvidence);
}

/** The words in a review that its topics were found by, in the order of title and text. */
export function findTopicEvidence(input: AnalysisInput): Evidence[] {
  const { normalized, matches } = runStages(input);
  if (normalized === null) return [];
  return matches.map((match) => ({
    topic: match.topic,
    ...toEvidence(input, normalized, match),
  }));
}

type StageResults = {
  normalized: NormalizedText | null;
  language: string;
  sentiment: Sentiment | null;
  clauses: ScoredClause[];
  matches: TopicMatch[];
  /** Topics that the whole text decides, also without any phrase. */
  decidedTopics: readonly Topic[];
};

function runStages(input: AnalysisInput): StageResults {
  const normalized = normalizeReview(input);
  const text = normalized?.opening ?? "";
  const tokens = tokenize(text);
  const language = detectLanguage({ text, tokens }, input.languageHint);
  if (normalized === null)
    return {
      normalized,
      language,
      sentiment: null,
      clauses: [],
      matches: [],
      decidedTopics: [],
    };
  const found = findListed(normalized, language);
  const { mentions, words, clauses: split, hasContrast, courtesies } = found;
  // The weights know the opening alone.
  const inOpening = mentions.filter(({ start }) => start < text.length);
  // Not `{ ...found, mentions }`: in Node 20 that costs a microsecond, and 150 bytes until a full garbage collection.
  const listed = { mentions: inOpening, words, clauses: split, hasContrast, courtesies };
  const { rating } = input;
  const scored = scoreSentiment({ text, language, tokens, listed, rating });
  const { sentiment, clauses, signals, buckets } = scored;
  const named = new Set(inOpening.map(({ topic }) => topic));
  const decided = classifyTopics({ signals, named, buckets, language });
  const isBlame = sentiment.label === "negative";
  const isClear = isBlame && sentiment.score < blameScoreMax;
  const decidedTopics = [...decided].flatMap(([topic, has]) =>
    has && !(topic === "praise" && isClear) ? [topic] : [],
  );
  const matches = mentions.filter(({ topic, start }) => {
    const isInOpening = start < text.length;
    if (topic === "praise" && (isInOpening ? isClear : isBlame)) return false;
    return !isInOpening || decided.get(topic) !== false;
  });
  return { normalized, language, sentiment, clauses, matches, decidedTopics };
}

// Below it, people labelled one of five reviews with words of praise as praise: the others remember it, or are ironic.
const blameScoreMax = -0.5;
