// Reviews with nearly the same text, by SimHash (Charikar 2002) over their words and pairs of words: paid and
// copied reviews. They count once.

import { hashText } from "../../../analysis/hash.ts";
import { normalizeReview } from "../../../analysis/normalized-text.ts";
import { tokenize } from "../../../analysis/tokens.ts";
import type { DigestReview } from "../../../domain/changes/digest.ts";

/** Below it, people say the same by chance: "very good app". */
const wordCountMin = 6;
/** The maximum of differing bits out of 64. */
const differenceMax = 3;
/** A long text is recognised by its beginning. */
const wordCountMax = 200;

/** A review and its words, which the other stages of the digest read, too. */
export type ReviewWords = { review: DigestReview; words: readonly string[] };

export function wordsOf(review: DigestReview): ReviewWords {
  const text = normalizeReview(review)?.opening ?? "";
  return { review, words: locateWords(text).map(({ start, end }) => text.slice(start, end)) };
}

/** The first words of a normalized text, `[start, end)` in it. */
export function locateWords(text: string): { start: number; end: number }[] {
  return tokenize(text)
    .filter(({ kind }) => kind !== "symbol")
    .flatMap(({ start, end, kind }) => {
      if (kind === "word") return [{ start, end }];
      // A script without spaces is read by its characters.
      let at = start;
      return [...text.slice(start, end)].map(({ length }) => {
        at += length;
        return { start: at - length, end: at };
      });
    })
    .slice(0, wordCountMax);
}

/** Groups of one or more, the oldest review of each first; in the order of their oldest reviews. */
export function groupNearDuplicates(reviews: readonly ReviewWords[]): ReviewWords[][] {
  const oldestFirst = [...reviews].sort(
    (one, other) =>
      one.review.date.getTime() - other.review.date.getTime() ||
      (one.review.id < other.review.id ? -1 : 1),
  );
  const groups: ReviewWords[][] = [];
  const buckets = new Map<number, Candidate[]>();
  for (const one of oldestFirst) {
    if (one.words.length < wordCountMin) {
      groups.push([one]);
      continue;
    }
    const hash = simHash(one.words);
    const keys = bandsOf(hash);
    const found = keys
      .flatMap((key) => buckets.get(key) ?? [])
      .find((candidate) => differenceOf(candidate.hash, hash) <= differenceMax);
    if (found) {
      found.group.push(one);
      continue;
    }
    const group = [one];
    groups.push(group);
    for (const key of keys) {
      const bucket = buckets.get(key) ?? [];
      buckets.set(key, bucket);
      // More would only be compared in vain: texts that share a band by chance.
      if (bucket.length < bucketLengthMax) bucket.push({ hash, group });
    }
  }
  return groups;
}

type SimHash = readonly [high: number, low: number];
type Candidate = { hash: SimHash; group: ReviewWords[] };

const bucketLengthMax = 200;
const halfBits = 32;
const everyBit = 0xffff_ffff;
const seeds = [1, 2] as const;

function simHash(words: readonly string[]): SimHash {
  const votes = new Int32Array(2 * halfBits);
  for (const [at, word] of words.entries()) {
    vote(votes, word);
    const next = words[at + 1];
    if (next !== undefined) vote(votes, `${word} ${next}`);
  }
  return [toBits(votes.subarray(0, halfBits)), toBits(votes.subarray(halfBits))];
}

function vote(votes: Int32Array, feature: string): void {
  for (const [half, seed] of seeds.entries()) {
    const mixed = hashText(seed, feature, everyBit);
    for (let bit = 0; bit < halfBits; bit += 1) {
      const index = half * halfBits + bit;
      votes[index] = (votes[index] ?? 0) + ((mixed >>> bit) & 1 ? 1 : -1);
    }
  }
}

function toBits(votes: Int32Array): number {
  let bits = 0;
  for (const [at, sum] of votes.entries()) if (sum > 0) bits |= 1 << at;
  return bits >>> 0;
}

/** Four bands of 16 bits: two hashes that differ in three bits agree in one of them. */
function bandsOf([high, low]: SimHash): number[] {
  const bands = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  return bands.map((band, number) => number * 0x1_0000 + band);
}

function differenceOf(one: SimHash, other: SimHash): number {
  return countBits(one[0] ^ other[0]) + countBits(one[1] ^ other[1]);
}

function countBits(value: number): number {
  let bits = value;
  let count = 0;
  while (bits !== 0) {
    bits &= bits - 1;
    count += 1;
  }
  return count;
}
