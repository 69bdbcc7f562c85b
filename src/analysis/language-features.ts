// The features that distinguish languages of one script: hashed words and letter n-grams at the
// beginning of a text. Training and analysis share this code.
import { FeatureBuckets } from "./feature-buckets.ts";
import { beginHash, hashSpan } from "./hash.ts";
import type { Token } from "./tokens.ts";

/** More of a text rarely changes the result. */
export const languageUnitsMax = 120;

const wordSeed = beginHash(11);
const ngrams = { seed: beginHash(12), min: 1, max: 4, isMarked: true };
const features = new FeatureBuckets(languageUnitsMax * 10);

/**
 * Buckets in a table of `mask + 1` rows, with repeats, of the tokens in the first `languageUnitsMax` code units. The next
 * call reuses the array.
 */
export function extractLanguageFeatures(
  text: string,
  { tokens, mask }: { tokens: readonly Token[]; mask: number },
): Uint32Array {
  features.begin(mask);
  for (const { start, end, kind } of tokens) {
    if (start >= languageUnitsMax) break;
    if (kind !== "word") continue;
    const word = { start, end: Math.min(end, languageUnitsMax) };
    features.add(hashSpan(text, word, wordSeed));
    features.addNgrams(text, word, ngrams);
  }
  return features.finish();
}
