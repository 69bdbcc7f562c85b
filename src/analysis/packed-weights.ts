// Rows of trained weights, four in a word, so that one addition adds two of them: summing rows of
// nearly forty languages is the dearest work of an analysis.

export type PackedWeights = { words: Int32Array; wordsPerRow: number };

/** What the array of sums has to hold. */
export const languageCountMax = 64;

const perWord = 4;
// A weight of one byte, moved so that it is never below zero.
const offset = 128;
const lanes = 0x00ff_00ff;
// As many bytes as a lane of 16 bits can add up.
const blockSize = 256;

/** `weights`: for each place one after the other those of `width` languages. */
export function packWeights(
  weights: Int8Array,
  { placeCount, width }: { placeCount: number; width: number },
): PackedWeights {
  if (width > languageCountMax) throw new RangeError(`${width} languages are too many`);
  const wordsPerRow = Math.ceil(width / perWord);
  const words = new Int32Array(placeCount * wordsPerRow);
  for (let place = 0; place < placeCount; place += 1) {
    for (let at = 0; at < width; at += 1) {
      const word = place * wordsPerRow + (at >> 2);
      const byte = (weights[place * width + at] ?? 0) + offset;
      words[word] = (words[word] ?? 0) | (byte << (8 * (at & 3)));
    }
  }
  return { words, wordsPerRow };
}

/** Adds up the first `count` of the rows, exactly; `sums` is overwritten. */
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
        even = (even + (packed & lanes)) | 0;
        odd = (odd + ((packed >>> 8) & lanes)) | 0;
      }
      sums[first] = (sums[first] ?? 0) + (even & 0xffff);
      sums[first + 1] = (sums[first + 1] ?? 0) + (odd & 0xffff);
      sums[first + 2] = (sums[first + 2] ?? 0) + (even >>> 16);
      sums[first + 3] = (sums[first + 3] ?? 0) + (odd >>> 16);
    }
  }
}
