// The analysis of one review: language, sentiment and topics.

export const sentimentLabels = ["positive", "neutral", "negative", "mixed"] as const;
export type SentimentLabel = (typeof sentimentLabels)[number];

export type Sentiment = {
  label: SentimentLabel;
  /** From -1 (negative) to 1 (positive). */
  score: number;
  /** Scores of the most negative and the most positive clause, in [-1, 1]: `mixed` follows from them. */
  clauseMin: number;
  clauseMax: number;
};

export type Analysis = {
  /** ISO 639-1 code (else 639-3), lower case; `und` when it can't be detected. */
  language: string;
  /** null for a review without text. */
  sentiment: Sentiment | null;
  /** Sorted, without repeats; empty for a review without text. */
  topics: string[];
  /**
   * In the order of the topics, from -1 to 1: the opinion on each. Absent in analyses by a provider, and in
   * older ones.
   */
  topicScores?: number[];
  /** Version of the built-in engine; a newer one analyses again. */
  version: number;
  /** The provider that gave sentiment and topics; absent for the built-in engine. */
  provider?: string;
};

export type AnalysisInput = {
  title: string | null;
  text: string;
  rating: number;
  /** The language that the source names, or null; used where the text can't decide. */
  languageHint: string | null;
};

export const undetermined = "und";

/** A weaker score takes no side. */
export const opinionScoreMin = 0.2;

type TopicOpinion = "positive" | "negative" | "none";

/** The topics of an analysis with the opinion on each; `none` where the analysis has no opinion. */
export function listTopicOpinions(
  analysis: Pick<Analysis, "topics" | "topicScores"> | null,
): { topic: string; opinion: TopicOpinion }[] {
  const { topics = [], topicScores = [] } = analysis ?? {};
  return topics.map((topic, at) => ({ topic, opinion: opinionOf(topicScores[at] ?? 0) }));
}

function opinionOf(score: number): TopicOpinion {
  if (Math.abs(score) < opinionScoreMin) return "none";
  return score > 0 ? "positive" : "negative";
}
