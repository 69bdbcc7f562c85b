// The hash that gives a feature its bucket in a table of weights: FNV-1a over UTF-16 code units, finished
// as in MurmurHash3 so that the low bits are mixed well. Training and analysis must agree on it.

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x0100_0193;

/** Begins a hash. Different seeds keep features of different kinds apart. */
export function beginHash(seed: number): number {
  return hashUnit(fnvOffset, seed);
}

export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, fnvPrime);
}

export function hashSpan(
  text: string,
  { start, end }: { start: number; end: number },
  begun: number,
): number {
  let hash = begun;
  for (let at = start; at < end; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
}

/** The bucket of a whole text. */
export function hashText(seed: number, text: string, mask: number): number {
  return finishHash(hashSpan(text, { start: 0, end: text.length }, beginHash(seed)), mask);
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
