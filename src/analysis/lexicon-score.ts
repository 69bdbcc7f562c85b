// The sentiment words of a text with their values. A negated word counts the other way round: "not bad"
// and "no crashes" are mildly positive.
import type { Clause } from "./clauses.ts";
import type { PhraseMatch } from "./phrase-finder.ts";
import type { LexiconMeaning } from "./sentiment-lexicon.ts";

type LexiconMatch = PhraseMatch<LexiconMeaning>;
type Context = { text: string; language: string; boundaries: readonly Clause[] };

/** A positive (value above 0) or negative (below 0) word or phrase; `end` is exclusive. */
export type SentimentWord = {
  start: number;
  end: number;
  value: number;
  /** Whether a negation changed the sign that the words alone would have. */
  isNegated: boolean;
  /** Whether it leaves room for other words: "the problem with … is solved". */
  isParted: boolean;
};

// In languages with few training reviews the words are more reliable than the weights.
const wellTrained = new Set(["en", "fr", "id"]);
const otherLanguageFactor = 1.5;

/** In these, several negations are one: "nigdy nie", "no he tenido ningún". */
const negativeConcord = new Set("cs el es fa fr he hi hu it ja ko pl pt ro ru uk zh".split(" "));

/** @param matches those of a normalized text, in its order, without overlaps */
export function toSentimentWords(
  matches: readonly LexiconMatch[],
  context: Context,
): SentimentWord[] {
  const factor = wellTrained.has(context.language) ? 1 : otherLanguageFactor;
  return matches.flatMap(({ start, end, meaning }, at) => {
    if (meaning.kind !== "value") return [];
    const isNegated = isNegatedAt(matches, at, context);
    const value = factor * (isNegated ? -meaning.value * negatedFactor : meaning.value);
    const { hasNegation, isParted } = meaning;
    return { start, end, value, isNegated: isNegated || hasNegation, isParted };
  });
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
function isOneClause({ text, boundaries }: Context, from: number, to: number): boolean {
  if (boundaries.some(({ start, end }) => start >= from && end <= to)) return false;
  return !text.slice(from, to).includes(":");
}

/** Two negations of one word cancel each other in most languages. */
function isNegatedAt(matches: readonly LexiconMatch[], at: number, context: Context): boolean {
  const word = matches[at];
  if (word === undefined) return false;
  const isConcord = negativeConcord.has(context.language);
  if (isConcord && word.meaning.kind === "value" && word.meaning.hasNegation) return false;
  let negationCount = 0;
  for (let index = Math.max(0, at - negatorsMax); index <= at + negatorsMax; index += 1) {
    const other = matches[index];
    if (other?.meaning.kind !== "negator") continue;
    const isBefore = index < at;
    const { reach: direction } = other.meaning;
    if (direction === (isBefore ? "preceding" : "following")) continue;
    if (!isBefore && direction === "both" && hasWordAfter(matches, index, context)) continue;
    const [from, to] = isBefore ? [other.end, word.start] : [word.end, other.start];
    const isBlame = word.meaning.kind === "value" && word.meaning.value < 0;
    const reach = isBlame ? unitsBeforeBlameMax : unitsAfterMax;
    const unitsMax = isBefore ? reach : unitsBeforeMax;
    if (to - from < unitsMax && isOneClause(context, from, to)) negationCount += 1;
  }
  return isConcord ? negationCount > 0 : negationCount % 2 === 1;
}

/** "Stürzt nie ab" negates what precedes, "macht nie Probleme" what follows. */
function hasWordAfter(matches: readonly LexiconMatch[], at: number, context: Context): boolean {
  const [negator, next] = matches.slice(at, at + 2);
  if (negator === undefined || next?.meaning.kind !== "value") return false;
  const isNear = next.start - negator.end < unitsAfterMax;
  return isNear && isOneClause(context, negator.end, next.start);
}
