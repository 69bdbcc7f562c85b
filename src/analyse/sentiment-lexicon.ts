// The words of praise and blame of all languages behind one search, with their strengths.
import { undetermined } from "../reviews/analysis.ts";
import { buildPhraseFinder, type Phrase, phrasesOf } from "./phrase-finder.ts";
import { arabic } from "./sentiment-words/arabic.ts";
import { chinese } from "./sentiment-words/chinese.ts";
import { emoji } from "./sentiment-words/emoji.ts";
import { english } from "./sentiment-words/english.ts";
import { french } from "./sentiment-words/french.ts";
import { german } from "./sentiment-words/german.ts";
import { indonesian } from "./sentiment-words/indonesian.ts";
import { italian } from "./sentiment-words/italian.ts";
import { japanese } from "./sentiment-words/japanese.ts";
import { korean } from "./sentiment-words/korean.ts";
import { portuguese } from "./sentiment-words/portuguese.ts";
import { russian } from "./sentiment-words/russian.ts";
import { spanish } from "./sentiment-words/spanish.ts";
import { turkish } from "./sentiment-words/turkish.ts";

export type SentimentWords = {
  best: string;
  good: string;
  /** Words of courtesy and the like, which any opinion outweighs. */
  mildGood: string;
  bad: string;
  worst: string;
  /** Turn round what follows. */
  negators: string;
  /** Turn round what stands before. */
  afterNegators?: string;
};

/** How a word counts: by its strength, or by turning round its neighbour. */
export type Opinion =
  | { kind: "value"; value: number }
  | { kind: "negator"; reach: "following" | "preceding" };

type Entry = { language: string; opinion: Opinion };

/** An opinion word and where it stands; `end` is exclusive. */
export type OpinionFind = { start: number; end: number; opinion: Opinion };

const everywhere = "emoji";
const lexicons: Readonly<Record<string, SentimentWords>> = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  id: indonesian,
  it: italian,
  ja: japanese,
  ko: korean,
  pt: portuguese,
  ru: russian,
  tr: turkish,
  zh: chinese,
  [everywhere]: emoji,
};

// These have words that look English and mean something else ("fast" is "almost" in German).
const withoutEnglish = new Set(["de", "es", "fr", "it", "pt"]);

// One word makes a clause plainly positive or negative, a strong one makes it strongly so: with
// these values a clause scores 0.73 and 0.89, above the two thresholds of `mixed`.
const strengths = { best: 3.2, good: 2.4, mildGood: 1, bad: -2.4, worst: -3.2 } as const;

const findEntries = buildPhraseFinder(
  Object.entries(lexicons).flatMap(([language, words]) => phrasesWithin(language, words)),
);

/** The opinions of a text in normal form, in order; of overlapping ones the longest stands. */
export function findOpinions(text: string, language: string): OpinionFind[] {
  const finds = findEntries(text)
    .filter(({ meaning }) => isRead(meaning.language, language))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const opinions: OpinionFind[] = [];
  let covered = 0;
  for (const { start, end, meaning } of finds) {
    if (start < covered) continue;
    opinions.push({ start, end, opinion: meaning.opinion });
    covered = end;
  }
  return opinions;
}

function isRead(listed: string, language: string): boolean {
  if (listed === everywhere || listed === language || language === undetermined) return true;
  return listed === "en" && !withoutEnglish.has(language);
}

function phrasesWithin(language: string, words: SentimentWords): Phrase<Entry>[] {
  const phrases: Phrase<Entry>[] = [];
  const add = (list: string, opinion: Opinion) => {
    for (const phrase of phrasesOf(list)) phrases.push({ phrase, meaning: { language, opinion } });
  };
  add(words.best, { kind: "value", value: strengths.best });
  add(words.good, { kind: "value", value: strengths.good });
  add(words.mildGood, { kind: "value", value: strengths.mildGood });
  add(words.bad, { kind: "value", value: strengths.bad });
  add(words.worst, { kind: "value", value: strengths.worst });
  add(words.negators, { kind: "negator", reach: "following" });
  add(words.afterNegators ?? "", { kind: "negator", reach: "preceding" });
  return phrases;
}
