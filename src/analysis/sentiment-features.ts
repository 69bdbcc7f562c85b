// The features by which sentiment is learned and told: words, neighbouring words, denied words and
// groups of letters, each as its place in the table of weights. Training and engine share it.
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import { textUnitsMax } from "./normalized-text.ts";
import { padWord } from "./padded-word.ts";
import type { Token } from "./tokens.ts";

export const sentimentBucketCount = 2 ** 20;

/** What a text offers, with repeats; valid until the next call. */
export type Features = {
  buckets: Uint32Array;
  /** For each token, how many places it and those before it have. */
  counts: Uint32Array;
};

// A unit begins at most one group of each length, and belongs to one token of three more features.
const featuresPerUnitMax = 8;
const mask = sentimentBucketCount - 1;
const seeds = {
  word: beginHash(1),
  pair: beginHash(2),
  group: beginHash(3),
  unspacedGroup: beginHash(4),
  gapPair: beginHash(5),
  negatedWord: beginHash(6),
  negatedPolarity: beginHash(7),
} as const;
const groupUnits = { min: 2, max: 5 } as const;
const blanklessGroupUnits = { min: 1, max: 4 } as const;

const places = new Uint32Array(textUnitsMax * featuresPerUnitMax);
const counts = new Uint32Array(textUnitsMax);
let placeCount = 0;

export function extractSentimentFeatures(
  text: string,
  { tokens, sentimentWords: sentimentWords }: { tokens: readonly Token[]; sentimentWords: readonly SentimentWord[] },
): Features {
  placeCount = 0;
  let before = 0;
  let twoBefore = 0;
  let opinion = 0;
  for (const [index, token] of tokens.entries()) {
    while ((sentimentWords[opinion]?.end ?? text.length) <= token.start) opinion += 1;
    const found = sentimentWords[opinion];
    const denied = found?.isNegated === true && found.start < token.end ? found : null;
    const word = hashWord(text, token, denied ? seeds.negatedWord : seeds.word);
    add(word);
    if (index > 0) add(hashUnit(hashUnit(seeds.pair, before), word));
    if (index > 1) add(hashUnit(hashUnit(seeds.gapPair, twoBefore), word));
    // The letters of "no crashes" speak of crashes: they must not count as blame.
    if (denied) add(hashUnit(seeds.negatedPolarity, denied.value > 0 ? 1 : 0));
    else if (token.kind === "word") addMarkedGroups(text, token);
    if (token.kind === "blankless") addGroups(text, token);
    twoBefore = before;
    before = word;
    counts[index] = placeCount;
  }
  return { buckets: places.subarray(0, placeCount), counts };
}

function add(hash: number): void {
  places[placeCount] = finishHash(hash, mask);
  placeCount += 1;
}

function hashWord(text: string, { start, end }: Token, seed: number): number {
  let hash = seed;
  for (let at = start; at < end; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
}

/** Groups of a word with a mark at its beginning and end. */
function addMarkedGroups(text: string, { start, end }: Token): void {
  const units = padWord(text, start, end);
  const behind = end - start + 1;
  for (let from = 0; from < behind; from += 1) {
    let hash = hashUnit(seeds.group, units[from] ?? 0);
    const last = Math.min(from + groupUnits.max - 1, behind);
    for (let at = from + 1; at <= last; at += 1) {
      hash = hashUnit(hash, units[at] ?? 0);
      add(hash);
    }
  }
}

function addGroups(text: string, { start, end }: Token): void {
  for (let from = start; from < end; from += 1) {
    let hash = seeds.unspacedGroup;
    const last = Math.min(from + blanklessGroupUnits.max, end);
    for (let at = from; at < last; at += 1) {
      hash = hashUnit(hash, text.charCodeAt(at));
      add(hash);
    }
  }
}
