// What analysis does to a review, step by step: normal form, tokens, language, sentiment, topics. The
// same review always gets the same answer in every process, and no input makes it throw.
import type { Analysis, AnalysisInput, Sentiment } from "../domain/analysis.ts";
import { type Evidence, toEvidence } from "./evidence.ts";
import type { Adaptations } from "./fine-tuning.ts";
import { tellLanguage } from "./language-detector.ts";
import { type OpinionWord, readOpinions } from "./lexicon-score.ts";
import { type NormalForm, normaliseReview } from "./normalized-text.ts";
import { weighSentiment } from "./sentiment.ts";
import { tokenise } from "./tokens.ts";
import { findTopics, type TopicFind } from "./topics.ts";

/** Goes up with every change that may answer differently, so that old answers are renewed. */
export const analysisVersion = 2;

/** @param adaptations what was learned from the installation's own reviews, by language */
export function analyseReview(input: AnalysisInput, adaptations: Adaptations = none): Analysis {
  const { language, sentiment, finds } = takeSteps(input, adaptations);
  const topics = [...new Set(finds.map(({ topic }) => topic))].sort();
  const number = adaptations.get(language)?.number;
  const analysis = { language, sentiment, topics, version: analysisVersion };
  return number === undefined ? analysis : { ...analysis, adaptation: number };
}

const none: Adaptations = new Map();

/** The literal words that gave a review its topics, in the order of title and text. */
export function findTopicEvidence(input: AnalysisInput): Evidence[] {
  const { form, finds } = takeSteps(input, none);
  return form === null ? [] : finds.map((find) => toEvidence(input, form, find));
}

type Findings = {
  form: NormalForm | null;
  language: string;
  sentiment: Sentiment | null;
  finds: TopicFind[];
};

function takeSteps(input: AnalysisInput, adaptations: Adaptations): Findings {
  const form = normaliseReview(input);
  const text = form?.text ?? "";
  const tokens = tokenise(text);
  const language = tellLanguage({ text, tokens }, input.languageHint);
  if (form === null) return { form, language, sentiment: null, finds: [] };
  const opinions = readOpinions(text, language);
  const shifts = adaptations.get(language)?.shifts ?? null;
  const sentiment = weighSentiment({ text, tokens, opinions, rating: input.rating, shifts });
  const finds = findTopics(text, language).filter((find) => isMeant(find, { sentiment, opinions }));
  return { form, language, sentiment, finds };
}

// Words of praise in a negative review are ironic or about something else, and denied ones are none.
function isMeant(
  { topic, start, end }: TopicFind,
  { sentiment, opinions }: { sentiment: Sentiment; opinions: readonly OpinionWord[] },
): boolean {
  if (topic !== "praise") return true;
  const isDenied = opinions.some(
    (word) => word.isDenied && word.value < 0 && word.start < end && start < word.end,
  );
  return !isDenied && sentiment.label !== "negative";
}
