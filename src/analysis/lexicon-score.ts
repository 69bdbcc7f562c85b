// What the words of praise and blame in a text say, with denials turned round: "not bad" is a mild
// praise, "no crashes" another.
import { matchLexicon, type LexiconMatch } from "./sentiment-lexicon.ts";

/** A word or phrase of praise (value above 0) or blame (below), and where it stands. */
export type SentimentWord = {
  start: number;
  end: number;
  value: number;
  /** Whether a denial turned round what the words alone would say. */
  isNegated: boolean;
};

// Where few reviews trained the weights, the words are the better witness.
const wellTrained = new Set(["en", "fr", "id", "ru"]);
const elsewhereShare = 1.5;

/** The opinion words of a text in normal form, in its order. */
export function findSentimentWords(text: string, language: string): SentimentWord[] {
  const matches = matchLexicon(text, language);
  const share = wellTrained.has(language) ? 1 : elsewhereShare;
  const words: SentimentWord[] = [];
  for (const [at, { start, end, meaning: opinion }] of matches.entries()) {
    if (opinion.kind !== "value") continue;
    const isTurnedRound = isNegatedBy(matches, { at, text });
    const value = share * (isTurnedRound ? -opinion.value * turnedShare : opinion.value);
    words.push({ start, end, value, isNegated: isTurnedRound || opinion.hasNegation });
  }
  return words;
}

/** Positive for praise, negative for blame, 0 where there is neither. */
export function scoreWords(words: readonly SentimentWord[], tokenCount: number): number {
  let sum = 0;
  for (const { value } of words) sum += value;
  return sum / Math.sqrt(1 + tokenCount);
}

// "Not great" is a milder blame than "bad", and "no crashes" a milder praise than "great".
const turnedShare = 0.8;
const negatorsMax = 2;
const unitsAfterMax = 20;
const unitsBeforeMax = 12;
// "No, it is great" denies nothing.
const stop = /[.!?;,:…\n。、，؟،]/;

/** Two denials of one word cancel each other. */
function isNegatedBy(
  matches: readonly LexiconMatch[],
  { at, text }: { at: number; text: string },
): boolean {
  const word = matches[at];
  if (word === undefined) return false;
  let turns = 0;
  for (let index = Math.max(0, at - negatorsMax); index <= at + negatorsMax; index += 1) {
    const other = matches[index];
    if (other?.meaning.kind !== "negator") continue;
    const isBefore = index < at;
    if (isBefore !== (other.meaning.reach === "following")) continue;
    const [from, to] = isBefore ? [other.end, word.start] : [word.end, other.start];
    const unitsMax = isBefore ? unitsAfterMax : unitsBeforeMax;
    if (to - from < unitsMax && !stop.test(text.slice(from, to))) turns += 1;
  }
  return turns % 2 === 1;
}
