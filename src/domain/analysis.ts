// What analysis says of one review: language, sentiment and topics.

export const sentimentLabels = ["positive", "neutral", "negative", "mixed"] as const;
export type SentimentLabel = (typeof sentimentLabels)[number];

export type Sentiment = {
  label: SentimentLabel;
  /** From -1 (negative) to 1 (positive). */
  score: number;
  /** The most negative and the most positive clause, both in [-1, 1]: what `mixed` rests on. */
  clauseMin: number;
  clauseMax: number;
};

export type Analysis = {
  /** ISO 639-1 code (else 639-3), lower case; `und` when it can't be told. */
  language: string;
  /** null for a review without text. */
  sentiment: Sentiment | null;
  /** Sorted, without repeats; empty for a review without text. */
  topics: string[];
  /** Version of the engine that said so; a newer engine analyses again. */
  version: number;
  /** Number of the adaptation to the language that weighed the sentiment; absent without one. */
  fineTuning?: number;
  /** Who said sentiment and topics in place of the built-in engine; absent when it did. */
  provider?: string;
};

/** What the analysis reads of a review, and nothing else. */
export type AnalysisInput = {
  title: string | null;
  text: string;
  rating: number;
  /** What the source says of the language, or null; used where the text can't decide. */
  languageHint: string | null;
};

export const undetermined = "und";
