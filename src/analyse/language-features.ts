// The features by which languages that share a script are learned and told apart: words and groups
// of letters at the beginning of a text. Training and engine share it.
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import type { Token } from "./tokens.ts";

/** More of a text rarely changes the answer, and this is the dearest step. */
export const languageUnitsMax = 120;

// A unit begins at most one group of each length; a token adds its mark's groups and itself.
const placesMax = languageUnitsMax * 10;
const seeds = { word: 11, group: 12 } as const;
const mark = 0x5e;
const groupUnitsMax = 4;

const places = new Uint32Array(placesMax);

/**
 * Places in a table of `mask + 1` rows, with repeats, of the first `unitsMax` units, which are
 * `languageUnitsMax` at most; valid until the next call.
 */
export function listLanguageFeatures(
  text: string,
  { tokens, mask, unitsMax }: { tokens: readonly Token[]; mask: number; unitsMax: number },
): Uint32Array {
  let count = 0;
  for (const { start, end: tokenEnd, kind } of tokens) {
    if (start >= unitsMax) break;
    if (kind !== "word") continue;
    const end = Math.min(tokenEnd, unitsMax);
    let word = beginHash(seeds.word);
    for (let at = start; at < end; at += 1) word = hashUnit(word, text.charCodeAt(at));
    places[count++] = finishHash(word, mask);
    for (let from = start - 1; from < end; from += 1) {
      let hash = beginHash(seeds.group);
      const last = Math.min(from + groupUnitsMax - 1, end);
      for (let at = from; at <= last; at += 1) {
        hash = hashUnit(hash, at < start || at === end ? mark : text.charCodeAt(at));
        if (at >= start && !(at === end && from === end)) places[count++] = finishHash(hash, mask);
      }
    }
  }
  return places.subarray(0, count);
}
