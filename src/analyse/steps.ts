// What analysis does to a review, step by step: normal form, language, sentiment, topics. Pure: the
// same review always gets the same answer, and no input makes it throw.
import type { Analysis, AnalysisInput, Sentiment } from "../reviews/analysis.ts";
import { tellLanguage } from "./language.ts";
import { normaliseReview } from "./normal-form.ts";
import { weighSentiment } from "./sentiment.ts";
import { findTopics, type TopicFind } from "./topics.ts";

/** Goes up with every change that may answer differently, so that old answers are renewed. */
export const analysisVersion = 1;

export function analyseReview(input: AnalysisInput): Analysis {
  const { language, sentiment, finds } = takeSteps(input);
  const topics = [...new Set(finds.map(({ topic }) => topic))].sort();
  return { language, sentiment, topics, version: analysisVersion };
}

/** The words that gave a review its topics, in the order of its normal form. */
export function findTopicEvidence(input: AnalysisInput): TopicFind[] {
  return takeSteps(input).finds;
}

type Findings = { language: string; sentiment: Sentiment | null; finds: TopicFind[] };

function takeSteps(input: AnalysisInput): Findings {
  const text = normaliseReview(input);
  const language = tellLanguage(text ?? "", input.languageHint);
  if (text === null) return { language, sentiment: null, finds: [] };
  const sentiment = weighSentiment({ text, language, rating: input.rating });
  const finds = findTopics(text, language).filter(({ topic }) => isMeant(topic, sentiment));
  return { language, sentiment, finds };
}

// Words of praise in a negative review are negated, ironic or about something else.
function isMeant(topic: string, sentiment: Sentiment): boolean {
  return topic !== "praise" || sentiment.label !== "negative";
}
