// The features of sentiment: words, pairs of words, negated words and letter n-grams, each hashed to a
// bucket in the table of weights. Training and analysis share this code.
import { FeatureBuckets } from "./feature-buckets.ts";
import { beginHash, hashSpan, hashUnit } from "./hash.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import { openingUnitsMax } from "./normalized-text.ts";
import type { Token } from "./tokens.ts";

export const sentimentBucketCount = 2 ** 20;

/** The features of a text, with repeats. The next extraction reuses the array of buckets. */
type Features = {
  buckets: Uint32Array;
  /** For each token, how many buckets it and those before it have. */
  counts: number[];
};

const mask = sentimentBucketCount - 1;
const seeds = {
  word: beginHash(1),
  pair: beginHash(2),
  negatedWord: beginHash(6),
  negatedPolarity: beginHash(7),
} as const;
const ngrams = { seed: beginHash(3), min: 3, max: 5, isMarked: true };
const unspacedNgrams = { seed: beginHash(4), min: 1, max: 4, isMarked: false };
const features = new FeatureBuckets(openingUnitsMax * 8);

/** @param text an opening */
export function extractSentimentFeatures(
  text: string,
  {
    tokens,
    sentimentWords,
  }: { tokens: readonly Token[]; sentimentWords: readonly SentimentWord[] },
): Features {
  const counts: number[] = [];
  features.begin(mask);
  let previous = 0;
  let wordIndex = 0;
  for (const [index, token] of tokens.entries()) {
    while ((sentimentWords[wordIndex]?.end ?? text.length) <= token.start) wordIndex += 1;
    const current = sentimentWords[wordIndex];
    const negated = current?.isNegated === true && current.start < token.end ? current : null;
    const word = hashSpan(text, token, negated ? seeds.negatedWord : seeds.word);
    features.add(word);
    if (index > 0) features.add(hashUnit(hashUnit(seeds.pair, previous), word));
    // The letters of "crashes" in "no crashes" must not count as negative.
    if (negated) features.add(hashUnit(seeds.negatedPolarity, negated.value > 0 ? 1 : 0));
    else if (token.kind === "word") features.addNgrams(text, token, ngrams);
    if (token.kind === "unspaced") features.addNgrams(text, token, unspacedNgrams);
    previous = word;
    counts.push(features.count);
  }
  return { buckets: features.finish(), counts };
}
