// The features by which languages of one script are told apart: hashed words and letter n-grams at the
// beginning of a text. Training and analysis share this code.
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import { padWord } from "./padded-word.ts";
import type { Token } from "./tokens.ts";

/** More of a text rarely changes the result, and this is the slowest stage. */
export const languageUnitsMax = 120;

// A code unit begins at most one n-gram of each length; a token adds those of its padding and itself.
export const languageFeaturesMax = languageUnitsMax * 10;
const wordSeed = beginHash(11);
const ngramSeed = beginHash(12);
const ngramUnitsMax = 4;

const buckets = new Uint32Array(languageFeaturesMax);

/**
 * Buckets in a table of `mask + 1` rows, with repeats, for the first `unitsMax` code units, which are
 * `languageUnitsMax` at most. The array is valid until the next call.
 */
export function extractLanguageFeatures(
  text: string,
  { tokens, mask, unitsMax }: { tokens: readonly Token[]; mask: number; unitsMax: number },
): Uint32Array {
  let count = 0;
  for (const { start, end: tokenEnd, kind } of tokens) {
    if (start >= unitsMax) break;
    if (kind !== "word") continue;
    const end = Math.min(tokenEnd, unitsMax);
    const units = padWord(text, start, end);
    const paddingAt = end - start + 1;
    let word = wordSeed;
    for (let at = 1; at < paddingAt; at += 1) word = hashUnit(word, units[at] ?? 0);
    buckets[count++] = finishHash(word, mask);
    for (let from = 0; from < paddingAt; from += 1) {
      let hash = ngramSeed;
      const last = Math.min(from + ngramUnitsMax - 1, paddingAt);
      for (let at = from; at <= last; at += 1) {
        hash = hashUnit(hash, units[at] ?? 0);
        if (at > 0) buckets[count++] = finishHash(hash, mask);
      }
    }
  }
  return buckets.subarray(0, count);
}
