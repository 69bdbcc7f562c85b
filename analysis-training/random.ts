// A pseudo-random generator with a seed (Mulberry32, by Tommy Ettinger, public domain): training must give
// the same weights, bit for bit, in every run. Beside it the hash by which rows are sampled.
import { beginHash, finishHash, hashUnit } from "../src/analysis/hash.ts";

export type Random = () => number;

/** Returns numbers in [0, 1). */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Shuffles in place (Fisher-Yates). */
export function shuffle(list: Uint32Array, random: Random): void {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const swapped = list[last] ?? 0;
    list[last] = list[other] ?? 0;
    list[other] = swapped;
  }
}

/** A hash below 2^20 of the text, by which rows are sampled and sorted the same way everywhere. */
export function textHash(text: string): number {
  let hash = beginHash(0);
  for (let at = 0; at < text.length; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return finishHash(hash, 0xf_ffff);
}
