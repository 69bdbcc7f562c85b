// The npm packages that the built-in analysis is measured against, each called as its documentation says.
import { eld } from "eld/large";
import { franc } from "franc";
import Sentiment from "sentiment";
import { detect } from "tinyld";
import vader from "vader-sentiment";
import wink from "wink-sentiment";

export type LanguageDetector = (text: string) => string;
export type SentimentScorer = (text: string) => number;

/** They return two-letter codes; empty or `und` where they detect nothing. */
export const languageBaselines: Readonly<Record<string, LanguageDetector>> = {
  tinyld: (text) => toIsoCode(detect(text)),
  eld: (text) => toIsoCode(eld.detect(text).language),
  franc: (text) => toIsoCode(franc(text, { minLength: 1 })),
};

const sentiment = new Sentiment();

/** Higher is more positive; the score normalized by text length, where a package has one. */
export const sentimentBaselines: Readonly<Record<string, SentimentScorer>> = {
  sentiment: (text) => sentiment.analyze(text).comparative,
  "vader-sentiment": (text) => vader.SentimentIntensityAnalyzer.polarity_scores(text).compound,
  "wink-sentiment": (text) => wink(text).normalizedScore,
};

const threeLetters: Readonly<Record<string, string>> = {
  eng: "en",
  fra: "fr",
  rus: "ru",
  spa: "es",
  deu: "de",
  ind: "id",
  kor: "ko",
  jpn: "ja",
  por: "pt",
  ita: "it",
  vie: "vi",
  arb: "ar",
  cmn: "zh",
};

// Written forms of Norwegian, which the data does not distinguish.
const mergedCodes: Readonly<Record<string, string>> = { nb: "no", nn: "no" };

function toIsoCode(code: string): string {
  const two = threeLetters[code] ?? code;
  return mergedCodes[two] ?? two;
}
