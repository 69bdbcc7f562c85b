// The hash that gives a feature its bucket in a table of weights: FNV-1a over UTF-16 code units, finished
// as in MurmurHash3 so that the low bits are mixed well. Training and analysis must agree on it.

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x0100_0193;

/** Marks both ends of a word from which letter n-grams are hashed. */
export const wordBoundary = "^";

/** Begins a hash. Different seeds keep features of different kinds apart. */
export function beginHash(seed: number): number {
  return hashUnit(fnvOffset, seed);
}

export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, fnvPrime);
}

/** The bucket of a whole text. */
export function hashText(seed: number, text: string, mask: number): number {
  let hash = beginHash(seed);
  for (let at = 0; at < text.length; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return finishHash(hash, mask);
}

/** The bucket in a table of `mask + 1` rows, a power of two. */
export function finishHash(hash: number, mask: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85eb_ca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2_ae35);
  mixed ^= mixed >>> 16;
  return (mixed >>> 0) & mask;
}
