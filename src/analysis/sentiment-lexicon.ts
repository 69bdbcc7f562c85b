// The sentiment words of all languages in one phrase finder, with their values.
import { buildLexicon } from "./lexicon.ts";
import { type Phrase, phrasesOf } from "./phrase-finder.ts";
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
import { vietnamese } from "./sentiment-words/vietnamese.ts";

export type SentimentWords = {
  best: string;
  good: string;
  /** Polite words and the like, which any other sentiment word outweighs. */
  mildGood: string;
  bad: string;
  worst: string;
  /** Negate what follows. */
  negators: string;
  /** Negate what precedes. */
  afterNegators?: string;
};

/** How a phrase counts: by its value, or by negating its neighbour. */
export type LexiconMeaning =
  /** `hasNegation`: the phrase contains a negation of a sentiment word, as in "not bad". */
  | { kind: "value"; value: number; hasNegation: boolean }
  | { kind: "negator"; reach: "following" | "preceding" };

/** `[start, end)` in UTF-16 code units of the text. */
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
  vi: vietnamese,
  zh: chinese,
  [everywhere]: emoji,
};

// These have words that are spelled like English ones and mean something else: German "fast" is "almost".
const withoutEnglish = new Set(["de", "es", "fr", "it", "pt"]);

// Chosen so that one word gives a short clause a score of 0.73 and a strong one 0.89: above the two clause
// thresholds of `mixed`.
const values = { best: 3.2, good: 2.4, mildGood: 1, bad: -2.4, worst: -3.2 } as const;

const valueKinds = ["best", "good", "mildGood", "bad", "worst"] as const;

const findPhrases = buildLexicon<SentimentWords, LexiconMeaning>({
  lists: lexicons,
  listPhrases,
  isShared: (listed, language) =>
    listed === everywhere || (listed === "en" && !withoutEnglish.has(language)),
});

/** The lexicon phrases of a normalized text, in order; of overlapping ones the longest is kept. */
export function matchLexicon(text: string, language: string): LexiconMatch[] {
  const found = findPhrases(text, language).sort((a, b) => a.start - b.start || b.end - a.end);
  const matches: LexiconMatch[] = [];
  let covered = 0;
  for (const match of found) {
    if (match.start < covered) continue;
    matches.push(match);
    covered = match.end;
  }
  return matches;
}

function listPhrases(words: SentimentWords): Phrase<LexiconMeaning>[] {
  const negators = phrasesOf(words.negators);
  const afterNegators = phrasesOf(words.afterNegators ?? "");
  const known = new Set(valueKinds.flatMap((kind) => phrasesOf(words[kind])));
  const isNegation = (phrase: string, value: number): boolean => {
    const negated = negatedPart(phrase, { negators, afterNegators });
    // "Doesn't work" is negative as a whole: "work" alone is no sentiment word, unlike "bad" in "not bad".
    return negated !== null && (value > 0 || known.has(negated));
  };
  const list = (
    phrases: string[],
    meaningOf: (phrase: string) => LexiconMeaning,
  ): Phrase<LexiconMeaning>[] => phrases.map((phrase) => ({ phrase, meaning: meaningOf(phrase) }));
  return [
    ...valueKinds.flatMap((kind) =>
      list(phrasesOf(words[kind]), (phrase) => ({
        kind: "value",
        value: values[kind],
        hasNegation: isNegation(phrase, values[kind]),
      })),
    ),
    ...list(negators, () => ({ kind: "negator", reach: "following" })),
    ...list(afterNegators, () => ({ kind: "negator", reach: "preceding" })),
  ];
}

function negatedPart(
  phrase: string,
  { negators, afterNegators }: { negators: string[]; afterNegators: string[] },
): string | null {
  const before = negators.find((one) => phrase.startsWith(`${one}_`));
  if (before !== undefined) return phrase.slice(before.length + 1);
  const after = afterNegators.find((one) => phrase.endsWith(`_${one}`));
  return after === undefined ? null : phrase.slice(0, -after.length - 1);
}
