// Rows of trained weights with four one-byte weights in a 32-bit word, so that one addition adds two of
// them: summing rows of nearly forty languages is the slowest part of an analysis.

export type PackedWeights = { words: Int32Array; wordsPerRow: number };

/** The length of the array of sums. */
export const languageCountMax = 64;

const perWord = 4;
// Added to each weight, so that it is never negative.
const offset = 128;
const laneMask = 0x00ff_00ff;
// A lane of 16 bits can add up this many bytes without overflow.
const blockSize = 256;

/**
 * @param weights for each bucket, those of `width` languages one after the other
 * @throws RangeError when `width` is above `languageCountMax`
 */
export function packWeights(
  weights: Int8Array,
  { bucketCount, width }: { bucketCount: number; width: number },
): PackedWeights {
  if (width > languageCountMax) throw new RangeError(`${width} languages are too many`);
  const wordsPerRow = Math.ceil(width / perWord);
  const words = new Int32Array(bucketCount * wordsPerRow);
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    for (let at = 0; at < width; at += 1) {
      const word = bucket * wordsPerRow + (at >> 2);
      const byte = (weights[bucket * width + at] ?? 0) + offset;
      words[word] = (words[word] ?? 0) | (byte << (8 * (at & 3)));
    }
  }
  return { words, wordsPerRow };
}

/** Adds up the first `count` of the rows, exactly, and overwrites `sums`. */
export function sumRows(
  { words, wordsPerRow }: PackedWeights,
  { rows, count, sums }: { rows: Uint32Array; count: number; sums: Int32Array },
): void {
  sums.fill(-offset * count);
  for (let word = 0; word < wordsPerRow; word += 1) {
    const first = word * perWord;
    for (let from = 0; from < count; from += blockSize) {
      const to = Math.min(from + blockSize, count);
      let even = 0;
      let odd = 0;
      for (let at = from; at < to; at += 1) {
        const packed = words[(rows[at] ?? 0) * wordsPerRow + word] ?? 0;
        even = (even + (packed & laneMask)) | 0;
        odd = (odd + ((packed >>> 8) & laneMask)) | 0;
      }
      sums[first] = (sums[first] ?? 0) + (even & 0xffff);
      sums[first + 1] = (sums[first + 1] ?? 0) + (odd & 0xffff);
      sums[first + 2] = (sums[first + 2] ?? 0) + (even >>> 16);
      sums[first + 3] = (sums[first + 3] ?? 0) + (odd >>> 16);
    }
  }
}
