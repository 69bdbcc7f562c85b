// The features by which languages that share a script are learned and told apart: words and groups
// of letters at the beginning of a text. Training and engine share it.
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import { padWord } from "./padded-word.ts";
import type { Token } from "./tokens.ts";

/** More of a text rarely changes the answer, and this is the dearest step. */
export const languageUnitsMax = 120;

// A unit begins at most one group of each length; a token adds its mark's groups and itself.
export const languageFeaturesMax = languageUnitsMax * 10;
const wordSeed = beginHash(11);
const groupSeed = beginHash(12);
const groupUnitsMax = 4;

const places = new Uint32Array(languageFeaturesMax);

/**
 * Places in a table of `mask + 1` rows, with repeats, of the first `unitsMax` units, which are
 * `languageUnitsMax` at most; valid until the next call.
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
    const behind = end - start + 1;
    let word = wordSeed;
    for (let at = 1; at < behind; at += 1) word = hashUnit(word, units[at] ?? 0);
    places[count++] = finishHash(word, mask);
    for (let from = 0; from < behind; from += 1) {
      let hash = groupSeed;
      const last = Math.min(from + groupUnitsMax - 1, behind);
      for (let at = from; at <= last; at += 1) {
        hash = hashUnit(hash, units[at] ?? 0);
        if (at > 0) places[count++] = finishHash(hash, mask);
      }
    }
  }
  return places.subarray(0, count);
}
