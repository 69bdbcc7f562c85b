// The features of sentiment: words, pairs of words, negated words and letter n-grams, each hashed to a
// bucket in the table of weights. Training and analysis share this code.
import { beginHash, finishHash, hashUnit, wordBoundary } from "./hash.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import type { Token } from "./tokens.ts";

export const sentimentBucketCount = 2 ** 20;

/** The features of a text, with repeats. */
type Features = {
  buckets: number[];
  /** For each token, how many buckets it and those before it have. */
  counts: number[];
};

const mask = sentimentBucketCount - 1;
const seeds = {
  word: beginHash(1),
  pair: beginHash(2),
  ngram: beginHash(3),
  unspacedNgram: beginHash(4),
  negatedWord: beginHash(6),
  negatedPolarity: beginHash(7),
} as const;
const ngramUnits = { min: 3, max: 5 } as const;
const unspacedNgramUnits = { min: 1, max: 4 } as const;

export function extractSentimentFeatures(
  text: string,
  {
    tokens,
    sentimentWords,
  }: { tokens: readonly Token[]; sentimentWords: readonly SentimentWord[] },
): Features {
  const buckets: number[] = [];
  const counts: number[] = [];
  const add = (hash: number): void => {
    buckets.push(finishHash(hash, mask));
  };
  let previous = 0;
  let wordIndex = 0;
  for (const [index, token] of tokens.entries()) {
    while ((sentimentWords[wordIndex]?.end ?? text.length) <= token.start) wordIndex += 1;
    const current = sentimentWords[wordIndex];
    const negated = current?.isNegated === true && current.start < token.end ? current : null;
    const word = hashWord(text, token, negated ? seeds.negatedWord : seeds.word);
    add(word);
    if (index > 0) add(hashUnit(hashUnit(seeds.pair, previous), word));
    // The letters of "crashes" in "no crashes" must not count as negative.
    if (negated) add(hashUnit(seeds.negatedPolarity, negated.value > 0 ? 1 : 0));
    else if (token.kind === "word")
      addNgrams(buckets, {
        text: `${wordBoundary}${text.slice(token.start, token.end)}${wordBoundary}`,
        seed: seeds.ngram,
        units: ngramUnits,
      });
    if (token.kind === "unspaced")
      addNgrams(buckets, {
        text: text.slice(token.start, token.end),
        seed: seeds.unspacedNgram,
        units: unspacedNgramUnits,
      });
    previous = word;
    counts.push(buckets.length);
  }
  return { buckets, counts };
}

function hashWord(text: string, { start, end }: Token, seed: number): number {
  let hash = seed;
  for (let at = start; at < end; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
}

function addNgrams(
  buckets: number[],
  { text, seed, units }: { text: string; seed: number; units: { min: number; max: number } },
): void {
  for (let from = 0; from < text.length; from += 1) {
    let hash = seed;
    const last = Math.min(from + units.max, text.length);
    for (let at = from; at < last; at += 1) {
      hash = hashUnit(hash, text.charCodeAt(at));
      if (at - from + 1 >= units.min) buckets.push(finishHash(hash, mask));
    }
  }
}
