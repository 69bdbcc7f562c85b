// The npm packages that the engine is measured against, each asked as its own documentation says.
import { eld } from "eld/large";
import { franc } from "franc";
import Sentiment from "sentiment";
import { detect } from "tinyld";
import vader from "vader-sentiment";
import wink from "wink-sentiment";

export type LanguageTeller = (text: string) => string;
export type SentimentTeller = (text: string) => number;

/** Two-letter codes; empty or `und` where they say nothing. */
export const languageRivals: Readonly<Record<string, LanguageTeller>> = {
  tinyld: (text) => oneCode(detect(text)),
  eld: (text) => oneCode(eld.detect(text).language),
  franc: (text) => oneCode(franc(text, { minLength: 1 })),
};

const sentiment = new Sentiment();

/** More is better; what a package counts by the length of the text is taken where it has it. */
export const sentimentRivals: Readonly<Record<string, SentimentTeller>> = {
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

// Languages of one script that a package splits, or gives the code of one member to.
const sameLanguage: Readonly<Record<string, string>> = { nb: "no", nn: "no" };

function oneCode(code: string): string {
  const two = threeLetters[code] ?? code;
  return sameLanguage[two] ?? two;
}
