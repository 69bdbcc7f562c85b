// The sentiment words of a text with their values. A negated word counts the other way round: "not bad"
// and "no crashes" are mildly positive.
import { clauseEnd } from "./clauses.ts";
import { type LexiconMatch, matchLexicon } from "./sentiment-lexicon.ts";

/** A positive (value above 0) or negative (below 0) word or phrase; `end` is exclusive. */
export type SentimentWord = {
  start: number;
  end: number;
  value: number;
  /** Whether a negation changed the sign that the words alone would have. */
  isNegated: boolean;
};

// In languages with few training reviews the words are more reliable than the weights.
const wellTrained = new Set(["en", "fr", "id"]);
const otherLanguageFactor = 1.5;

/** In these, several negations are one: "nigdy nie", "no he tenido ningún". */
const negativeConcord = new Set("cs el es fa fr he hi hu it ja ko pl pt ro ru uk zh".split(" "));

/** The sentiment words of a normalized text, in its order. */
export function findSentimentWords(text: string, language: string): SentimentWord[] {
  const matches = matchLexicon(text, language);
  const factor = wellTrained.has(language) ? 1 : otherLanguageFactor;
  const words: SentimentWord[] = [];
  for (const [at, { start, end, meaning }] of matches.entries()) {
    if (meaning.kind !== "value") continue;
    const isNegated = isNegatedAt(matches, { at, text, language });
    const value = factor * (isNegated ? -meaning.value * negatedFactor : meaning.value);
    words.push({ start, end, value, isNegated: isNegated || meaning.hasNegation });
  }
  return words;
}

/** The sum of the values, scaled down for long texts. */
export function scoreWords(words: readonly SentimentWord[], tokenCount: number): number {
  let sum = 0;
  for (const { value } of words) sum += value;
  return sum / Math.sqrt(1 + tokenCount);
}

// "Not great" is less negative than "bad", and "no crashes" less positive than "great".
const negatedFactor = 0.8;
const negatorsMax = 2;
const unitsAfterMax = 20;
/** Blame is negated from farther off: "never had a single problem with it". */
const unitsBeforeBlameMax = 36;
const unitsBeforeMax = 12;

/** A negation does not reach into another clause: "No, it is great", "never liked it but the maps are good". */
function isClauseEnd(between: string): boolean {
  return between.includes(":") || clauseEnd.test(between);
}

/** Two negations of one word cancel each other in most languages. */
function isNegatedAt(
  matches: readonly LexiconMatch[],
  { at, text, language }: { at: number; text: string; language: string },
): boolean {
  const word = matches[at];
  if (word === undefined) return false;
  const isConcord = negativeConcord.has(language);
  if (isConcord && word.meaning.kind === "value" && word.meaning.hasNegation) return false;
  let negationCount = 0;
  for (let index = Math.max(0, at - negatorsMax); index <= at + negatorsMax; index += 1) {
    const other = matches[index];
    if (other?.meaning.kind !== "negator") continue;
    const isBefore = index < at;
    const { reach: direction } = other.meaning;
    if (direction === (isBefore ? "preceding" : "following")) continue;
    if (!isBefore && direction === "both" && hasWordAfter(matches, { at: index, text })) continue;
    const [from, to] = isBefore ? [other.end, word.start] : [word.end, other.start];
    const isBlame = word.meaning.kind === "value" && word.meaning.value < 0;
    const reach = isBlame ? unitsBeforeBlameMax : unitsAfterMax;
    const unitsMax = isBefore ? reach : unitsBeforeMax;
    const between = text.slice(from, to);
    if (to - from < unitsMax && !isClauseEnd(between)) negationCount += 1;
  }
  return isConcord ? negationCount > 0 : negationCount % 2 === 1;
}

/** "Stürzt nie ab" negates what precedes, "macht nie Probleme" what follows. */
function hasWordAfter(
  matches: readonly LexiconMatch[],
  { at, text }: { at: number; text: string },
): boolean {
  const [negator, next] = matches.slice(at, at + 2);
  if (negator === undefined || next?.meaning.kind !== "value") return false;
  const between = text.slice(negator.end, next.start);
  return between.length < unitsAfterMax && !isClauseEnd(between);
}
