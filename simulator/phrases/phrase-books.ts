// The phrase book of every language that the sample worlds speak, and which one a region speaks.
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { indonesian } from "./indonesian.ts";
import { italian } from "./italian.ts";
import { japanese } from "./japanese.ts";
import { korean } from "./korean.ts";
import type { PhraseBook } from "./phrase-book.ts";
import { portuguese } from "./portuguese.ts";
import { russian } from "./russian.ts";
import { spanish } from "./spanish.ts";

const byLanguage: Readonly<Record<string, PhraseBook>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  it: italian,
  ja: japanese,
  ru: russian,
  ko: korean,
  id: indonesian,
};

/** Storefronts whose code is no language's code here. */
const languageOfCountry: Readonly<Record<string, string>> = {
  us: "en",
  gb: "en",
  ca: "en",
  au: "en",
  at: "de",
  ch: "de",
  mx: "es",
  br: "pt",
  jp: "ja",
  kr: "ko",
};

/** `region`: a storefront or a language; English where nothing better is known. */
export function phraseBookOf(region: string): PhraseBook {
  return byLanguage[languageOfCountry[region] ?? region] ?? english;
}
