// The features that distinguish languages of one script: hashed words and letter n-grams at the
// beginning of a text. Training and analysis share this code.
import { beginHash, finishHash, hashUnit, wordBoundary } from "./hash.ts";
import type { Token } from "./tokens.ts";

/** More of a text rarely changes the result, and this is the slowest stage. */
export const languageUnitsMax = 120;

const wordSeed = beginHash(11);
const ngramSeed = beginHash(12);
const ngramUnitsMax = 4;

/** Buckets in a table of `mask + 1` rows, with repeats, of the tokens in the first `languageUnitsMax` code units. */
export function extractLanguageFeatures(
  text: string,
  { tokens, mask }: { tokens: readonly Token[]; mask: number },
): number[] {
  const buckets: number[] = [];
  for (const { start, end, kind } of tokens) {
    if (start >= languageUnitsMax) break;
    if (kind !== "word") continue;
    const word = text.slice(start, Math.min(end, languageUnitsMax));
    let wordHash = wordSeed;
    for (let at = 0; at < word.length; at += 1) wordHash = hashUnit(wordHash, word.charCodeAt(at));
    buckets.push(finishHash(wordHash, mask));
    const padded = `${wordBoundary}${word}${wordBoundary}`;
    for (let from = 0; from < padded.length - 1; from += 1) {
      let hash = ngramSeed;
      const last = Math.min(from + ngramUnitsMax, padded.length);
      for (let at = from; at < last; at += 1) {
        hash = hashUnit(hash, padded.charCodeAt(at));
        if (at > 0) buckets.push(finishHash(hash, mask));
      }
    }
  }
  return buckets;
}
