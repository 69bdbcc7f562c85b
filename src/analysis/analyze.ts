// Analyzes a review in stages: normalized text, tokens, language, sentiment, topics. The same review gets
// the same result in every process, and no input makes it throw.
import type { Analysis, AnalysisInput, Sentiment } from "../domain/analysis.ts";
import type { Topic } from "../domain/topics.ts";
import type { ScoredClause } from "./clauses.ts";
import { type Evidence, toEvidence } from "./evidence.ts";
import type { FineTunings } from "./fine-tuning.ts";
import { detectLanguage } from "./language-detector.ts";
import { findSentimentWords, type SentimentWord } from "./lexicon-score.ts";
import { type NormalizedText, normalizeReview } from "./normalized-text.ts";
import { scoreSentiment } from "./sentiment.ts";
import { tokenize } from "./tokens.ts";
import { classifyTopics } from "./topic-classifier.ts";
import { scoreTopics } from "./topic-score.ts";
import { findTopics, type TopicMatch } from "./topics.ts";

/** Raised with every change that may give other results, so that stored analyses are renewed. */
export const analysisVersion = 8;

/** @param fineTunings fine-tuned weights of this installation, by language */
export function analyzeReview(input: AnalysisInput, fineTunings: FineTunings = none): Analysis {
  const { language, sentiment, clauses, matches, classified } = runStages(input, fineTunings);
  const { rating } = input;
  const topics = [...new Set([...matches.map(({ topic }) => topic), ...classified])].sort();
  const score = sentiment?.score ?? 0;
  const topicScores = scoreTopics(topics, { matches, clauses, score, rating });
  const number = fineTunings.get(language)?.number;
  const analysis = { language, sentiment, topics, topicScores, version: analysisVersion };
  return number === undefined ? analysis : { ...analysis, fineTuning: number };
}

const none: FineTunings = new Map();

/** The words in a review that its topics were found by, in the order of title and text. */
export function findTopicEvidence(input: AnalysisInput): Evidence[] {
  const { normalized, matches } = runStages(input, none);
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
  /** Topics that the trained weights found; no words show them. */
  classified: readonly Topic[];
};

function runStages(input: AnalysisInput, fineTunings: FineTunings): StageResults {
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
      classified: [],
    };
  const sentimentWords = findSentimentWords(text, language);
  const mentions = findTopics(normalized.text, language);
  const deltas = fineTunings.get(language)?.deltas ?? null;
  const { sentiment, clauses, buckets } = scoreSentiment({
    text,
    language,
    tokens,
    sentimentWords,
    mentions: mentions.filter(({ start }) => start < text.length),
    rating: input.rating,
    deltas,
  });
  const { found, rejected } = classifyTopics(buckets, language);
  const classified = found.filter((topic) => topic !== "praise" || sentiment.label !== "negative");
  const matches = mentions.filter(
    (match) =>
      // The weights know the opening alone.
      (match.start >= text.length || !rejected.includes(match.topic)) &&
      isPlausible(match, { sentiment, sentimentWords }),
  );
  return { normalized, language, sentiment, clauses, matches, classified };
}

// Praise in a negative review is ironic or about something else, and negated praise is none.
function isPlausible(
  { topic, start, end }: TopicMatch,
  { sentiment, sentimentWords }: { sentiment: Sentiment; sentimentWords: readonly SentimentWord[] },
): boolean {
  if (topic !== "praise") return true;
  const isNegated = sentimentWords.some(
    (word) => word.isNegated && word.value < 0 && word.start < end && start < word.end,
  );
  return !isNegated && sentiment.label !== "negative";
}
