// The sentiment words of all languages, with their values.
import { type PhraseList, readPhraseList } from "../lib/word-lists.ts";
import { buildLexicon, listedLanguages } from "./lexicon.ts";
import type { Phrase } from "./phrase-finder.ts";

const sections = [
  "best",
  "good",
  // Polite words and the like, which any other sentiment word outweighs.
  "mild_good",
  // Neither good nor bad.
  "middling",
  "bad",
  "worst",
  // Negate what follows.
  "negators",
  // Negate what precedes. A phrase may be in both sections.
  "after_negators",
] as const;

export type SentimentWords = PhraseList<(typeof sections)[number]>;

/** How a phrase counts: by its value, or by negating its neighbour. */
type LexiconMeaning =
  /** `hasNegation`: the phrase contains a negation of a sentiment word, as in "not bad". */
  | { kind: "value"; value: number; hasNegation: boolean }
  | { kind: "negator"; reach: "following" | "preceding" | "both" };

/** `[start, end)` in UTF-16 code units of the text. */
export type LexiconMatch = { start: number; end: number; meaning: LexiconMeaning };

const everywhere = "emoji";
// These have words that are spelled like English ones and mean something else: German "fast" is "almost".
const withoutEnglish = new Set(["da", "de", "es", "fr", "it", "no", "pt", "sv"]);

// Chosen so that one word gives a short clause a score of 0.73 and a strong one 0.89: above the two clause
// thresholds of `mixed`.
const values = {
  best: 3.2,
  good: 2.4,
  mild_good: 1,
  middling: 0,
  bad: -2.4,
  worst: -3.2,
} as const;

const valueKinds = ["best", "good", "mild_good", "middling", "bad", "worst"] as const;

const findPhrases = buildLexicon<SentimentWords, LexiconMeaning>({
  names: [...listedLanguages, everywhere],
  readList,
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
  const { negators, after_negators: afterNegators } = words;
  const known = new Set(valueKinds.flatMap((kind) => words[kind].map(withoutStar)));
  const negatedPart = createNegatedPart(words);
  const isNegation = (phrase: string, value: number): boolean => {
    const negated = negatedPart(phrase);
    // "Doesn't work" is negative as a whole: "work" alone is not a sentiment word, unlike "bad" in "not bad".
    return negated !== null && (value > 0 || known.has(withoutStar(negated)));
  };
  const list = (
    phrases: readonly string[],
    meaningOf: (phrase: string) => LexiconMeaning,
  ): Phrase<LexiconMeaning>[] => phrases.map((phrase) => ({ phrase, meaning: meaningOf(phrase) }));
  return [
    ...valueKinds.flatMap((kind) =>
      list(words[kind], (phrase) => ({
        kind: "value",
        value: values[kind],
        hasNegation: isNegation(phrase, values[kind]),
      })),
    ),
    ...list(negators, (phrase) => ({
      kind: "negator",
      reach: afterNegators.includes(phrase) ? "both" : "following",
    })),
    ...list(afterNegators, () => ({ kind: "negator", reach: "preceding" })),
  ];
}

/** Cuts off the negation that a phrase of several words begins or ends with; null without one. */
function createNegatedPart({
  negators,
  after_negators: afterNegators,
}: SentimentWords): (phrase: string) => string | null {
  const beginnings = negators.map((one) => (one.endsWith("*") ? withoutStar(one) : `${one}_`));
  const endings = afterNegators.map((one) => `_${one}`);
  return (phrase) => {
    if (!phrase.includes("_")) return null;
    const beginning = beginnings.find((one) => phrase.startsWith(one));
    if (beginning !== undefined) return phrase.slice(phrase.indexOf("_", beginning.length - 1) + 1);
    const ending = endings.find((one) => phrase.endsWith(one));
    return ending === undefined ? null : phrase.slice(0, -ending.length);
  };
}

function withoutStar(phrase: string): string {
  return phrase.replace(/\*$/, "");
}

/**
 * By language, with the emoji of all languages.
 * @throws Error when a list is damaged
 */
export function readSentimentWords(): Record<string, SentimentWords> {
  return Object.fromEntries([...listedLanguages, everywhere].map((name) => [name, readList(name)]));
}

function readList(name: string): SentimentWords {
  return readPhraseList(new URL(`./words/sentiment/${name}.txt`, import.meta.url), sections);
}
