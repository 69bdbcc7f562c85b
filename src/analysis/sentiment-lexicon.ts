// The words of praise and blame of all languages behind one search, with their strengths.
import { undetermined } from "../domain/analysis.ts";
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
export type LexiconMeaning =
  /** `hasDenial`: a part of the phrase denies what another one says, as in "not bad". */
  | { kind: "value"; value: number; hasNegation: boolean }
  | { kind: "negator"; reach: "following" | "preceding" };

type Entry = { language: string; meaning: LexiconMeaning };

/** An opinion word and where it stands; `end` is exclusive. */
export type LexiconMatch = { start: number; end: number; meaning: LexiconMeaning };

const everywhere = "emoji";
export const lexicons: Readonly<Record<string, SentimentWords>> = {
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

const valued = ["best", "good", "mildGood", "bad", "worst"] as const;

const findEntries = buildPhraseFinder(
  Object.entries(lexicons).flatMap(([language, words]) => phrasesWithin(language, words)),
);

/** The opinions of a text in normal form, in order; of overlapping ones the longest stands. */
export function matchLexicon(text: string, language: string): LexiconMatch[] {
  const matches = findEntries(text)
    .filter(({ meaning }) => isRead(meaning.language, language))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const sentimentWords: LexiconMatch[] = [];
  let covered = 0;
  for (const { start, end, meaning } of matches) {
    if (start < covered) continue;
    sentimentWords.push({ start, end, meaning: meaning.meaning });
    covered = end;
  }
  return sentimentWords;
}

function isRead(listed: string, language: string): boolean {
  if (listed === everywhere || listed === language || language === undetermined) return true;
  return listed === "en" && !withoutEnglish.has(language);
}

function phrasesWithin(language: string, words: SentimentWords): Phrase<Entry>[] {
  const negators = phrasesOf(words.negators);
  const afterNegators = phrasesOf(words.afterNegators ?? "");
  const known = new Set(valued.flatMap((kind) => phrasesOf(words[kind])));
  const isDenial = (phrase: string, value: number): boolean => {
    const denied = deniedPart(phrase, { negators, afterNegators });
    // In "doesn't work" no word by itself says the contrary, as "bad" does in "not bad".
    return denied !== null && (value > 0 || known.has(denied));
  };
  const list = (phrases: string[], meaningOf: (phrase: string) => LexiconMeaning): Phrase<Entry>[] =>
    phrases.map((phrase) => ({ phrase, meaning: { language, meaning: meaningOf(phrase) } }));
  return [
    ...valued.flatMap((kind) =>
      list(phrasesOf(words[kind]), (phrase) => ({
        kind: "value",
        value: strengths[kind],
        hasNegation: isDenial(phrase, strengths[kind]),
      })),
    ),
    ...list(negators, () => ({ kind: "negator", reach: "following" })),
    ...list(afterNegators, () => ({ kind: "negator", reach: "preceding" })),
  ];
}

function deniedPart(
  phrase: string,
  { negators, afterNegators }: { negators: string[]; afterNegators: string[] },
): string | null {
  const before = negators.find((one) => phrase.startsWith(`${one}_`));
  if (before !== undefined) return phrase.slice(before.length + 1);
  const after = afterNegators.find((one) => phrase.endsWith(`_${one}`));
  return after === undefined ? null : phrase.slice(0, -after.length - 1);
}
