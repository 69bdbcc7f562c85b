// What analysis does to a review, step by step: normal form, tokens, language, sentiment, topics. The
// same review always gets the same answer in every process, and no input makes it throw.
import type { Analysis, AnalysisInput, Sentiment } from "../domain/analysis.ts";
import { type Evidence, toEvidence } from "./evidence.ts";
import type { FineTunings } from "./fine-tuning.ts";
import { detectLanguage } from "./language-detector.ts";
import { type SentimentWord, findSentimentWords } from "./lexicon-score.ts";
import { type NormalizedText, normalizeReview } from "./normalized-text.ts";
import { scoreSentiment } from "./sentiment.ts";
import { tokenize } from "./tokens.ts";
import { findTopics, type TopicMatch } from "./topics.ts";

/** Goes up with every change that may answer differently, so that old answers are renewed. */
export const analysisVersion = 2;

/** @param adaptations what was learned from the installation's own reviews, by language */
export function analyzeReview(input: AnalysisInput, fineTunings: FineTunings = none): Analysis {
  const { language, sentiment, matches: matches } = runStages(input, fineTunings);
  const topics = [...new Set(matches.map(({ topic }) => topic))].sort();
  const number = fineTunings.get(language)?.number;
  const analysis = { language, sentiment, topics, version: analysisVersion };
  return number === undefined ? analysis : { ...analysis, adaptation: number };
}

const none: FineTunings = new Map();

/** The literal words that gave a review its topics, in the order of title and text. */
export function findTopicEvidence(input: AnalysisInput): Evidence[] {
  const { form, matches } = runStages(input, none);
  return form === null ? [] : matches.map((find) => toEvidence(input, form, find));
}

type StageResults = {
  form: NormalizedText | null;
  language: string;
  sentiment: Sentiment | null;
  matches: TopicMatch[];
};

function runStages(input: AnalysisInput, fineTunings: FineTunings): StageResults {
  const form = normalizeReview(input);
  const text = form?.text ?? "";
  const tokens = tokenize(text);
  const language = detectLanguage({ text, tokens }, input.languageHint);
  if (form === null) return { form, language, sentiment: null, matches: [] };
  const sentimentWords = findSentimentWords(text, language);
  const deltas = fineTunings.get(language)?.deltas ?? null;
  const sentiment = scoreSentiment({ text, tokens, sentimentWords: sentimentWords, rating: input.rating, deltas: deltas });
  const matches = findTopics(text, language).filter((find) => isMeant(find, { sentiment, sentimentWords }));
  return { form, language, sentiment, matches };
}

// Words of praise in a negative review are ironic or about something else, and denied ones are none.
function isMeant(
  { topic, start, end }: TopicMatch,
  { sentiment, sentimentWords }: { sentiment: Sentiment; sentimentWords: readonly SentimentWord[] },
): boolean {
  if (topic !== "praise") return true;
  const isNegated = sentimentWords.some(
    (word) => word.isNegated && word.value < 0 && word.start < end && start < word.end,
  );
  return !isNegated && sentiment.label !== "negative";
}
