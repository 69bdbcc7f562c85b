// The lists of sentiment words, with their values.
import { type PhraseList, readPhraseList } from "../lib/word-lists.ts";
import { type Phrase, readPhrase } from "./phrase-finder.ts";

const sections = [
  "best",
  "good",
  // Polite words and the like, which any other sentiment word outweighs.
  "mild_good",
  // Neither good nor bad.
  "middling",
  "bad",
  "worst",
  // Say nothing of the app: greetings, thanks in advance.
  "courtesy",
  // Negate what follows.
  "negators",
  // Negate what precedes. A phrase may be in both sections.
  "after_negators",
  // Words like "but", between clauses.
  "contrast",
] as const;

export type SentimentWords = PhraseList<(typeof sections)[number]>;

/** How a phrase counts: by its value, by negating its neighbour, or by ending a clause. */
export type LexiconMeaning =
  /**
   * `hasNegation`: the phrase contains a negation of a sentiment word, as in "not bad", or ends what it names, as in "the problem …
   * is solved". `isParted`: it leaves room for other words, and a negation among them cancels it.
   */
  | { kind: "value"; value: number; hasNegation: boolean; isParted: boolean }
  | { kind: "negator"; reach: "following" | "preceding" | "both" }
  | { kind: "courtesy" }
  | { kind: "contrast" };

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

/** @throws Error when the list is damaged */
export function readSentimentList(name: string): SentimentWords {
  return readPhraseList(new URL(`./words/sentiment/${name}.txt`, import.meta.url), sections);
}

export function listSentimentPhrases(words: SentimentWords): Phrase<LexiconMeaning>[] {
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
  ): Phrase<LexiconMeaning>[] => phrases.map((phrase) => readPhrase(phrase, meaningOf(phrase)));
  return [
    ...valueKinds.flatMap((kind) => {
      const value = values[kind];
      // One object for thousands of phrases.
      const plain: LexiconMeaning = { kind: "value", value, hasNegation: false, isParted: false };
      const negated: LexiconMeaning = { ...plain, hasNegation: true };
      const parted: LexiconMeaning = { ...negated, isParted: true };
      return list(words[kind], (phrase) => {
        if (phrase.includes("…")) return parted;
        return isNegation(phrase, value) ? negated : plain;
      });
    }),
    ...list(negators, (phrase) => ({
      kind: "negator",
      reach: afterNegators.includes(phrase) ? "both" : "following",
    })),
    ...list(afterNegators, () => ({ kind: "negator", reach: "preceding" })),
    ...list(words.courtesy, () => ({ kind: "courtesy" })),
    ...list(words.contrast, () => ({ kind: "contrast" })),
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
