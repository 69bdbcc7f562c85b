// The features of sentiment: words, pairs of words, negated words and letter n-grams, each hashed to a
// bucket in the table of weights. Training and analysis share this code.
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import { openingUnitsMax } from "./normalized-text.ts";
import { padWord } from "./padded-word.ts";
import type { Token } from "./tokens.ts";

export const sentimentBucketCount = 2 ** 20;

/** The features of a text, with repeats. The arrays are valid until the next call. */
export type Features = {
  buckets: Uint32Array;
  /** For each token, how many buckets it and those before it have. */
  counts: Uint32Array;
};

// A code unit begins at most one n-gram of each length, and belongs to one token with three more features.
export const featuresPerUnitMax = 8;
const mask = sentimentBucketCount - 1;
const seeds = {
  word: beginHash(1),
  pair: beginHash(2),
  ngram: beginHash(3),
  unspacedNgram: beginHash(4),
  gapPair: beginHash(5),
  negatedWord: beginHash(6),
  negatedPolarity: beginHash(7),
} as const;
const ngramUnits = { min: 2, max: 5 } as const;
const unspacedNgramUnits = { min: 1, max: 4 } as const;

const buckets = new Uint32Array(openingUnitsMax * featuresPerUnitMax);
const counts = new Uint32Array(openingUnitsMax);
let bucketCount = 0;

export function extractSentimentFeatures(
  text: string,
  {
    tokens,
    sentimentWords,
  }: { tokens: readonly Token[]; sentimentWords: readonly SentimentWord[] },
): Features {
  bucketCount = 0;
  let previous = 0;
  let beforePrevious = 0;
  let wordIndex = 0;
  for (const [index, token] of tokens.entries()) {
    while ((sentimentWords[wordIndex]?.end ?? text.length) <= token.start) wordIndex += 1;
    const current = sentimentWords[wordIndex];
    const negated = current?.isNegated === true && current.start < token.end ? current : null;
    const word = hashWord(text, token, negated ? seeds.negatedWord : seeds.word);
    add(word);
    if (index > 0) add(hashUnit(hashUnit(seeds.pair, previous), word));
    if (index > 1) add(hashUnit(hashUnit(seeds.gapPair, beforePrevious), word));
    // The letters of "crashes" in "no crashes" must not count as negative.
    if (negated) add(hashUnit(seeds.negatedPolarity, negated.value > 0 ? 1 : 0));
    else if (token.kind === "word") addPaddedNgrams(text, token);
    if (token.kind === "unspaced") addNgrams(text, token);
    beforePrevious = previous;
    previous = word;
    counts[index] = bucketCount;
  }
  return { buckets: buckets.subarray(0, bucketCount), counts };
}

function add(hash: number): void {
  buckets[bucketCount] = finishHash(hash, mask);
  bucketCount += 1;
}

function hashWord(text: string, { start, end }: Token, seed: number): number {
  let hash = seed;
  for (let at = start; at < end; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
}

/** N-grams of a word with boundary marks. */
function addPaddedNgrams(text: string, { start, end }: Token): void {
  const units = padWord(text, start, end);
  const paddingAt = end - start + 1;
  for (let from = 0; from < paddingAt; from += 1) {
    let hash = hashUnit(seeds.ngram, units[from] ?? 0);
    const last = Math.min(from + ngramUnits.max - 1, paddingAt);
    for (let at = from + 1; at <= last; at += 1) {
      hash = hashUnit(hash, units[at] ?? 0);
      add(hash);
    }
  }
}

function addNgrams(text: string, { start, end }: Token): void {
  for (let from = start; from < end; from += 1) {
    let hash = seeds.unspacedNgram;
    const last = Math.min(from + unspacedNgramUnits.max, end);
    for (let at = from; at < last; at += 1) {
      hash = hashUnit(hash, text.charCodeAt(at));
      add(hash);
    }
  }
}
