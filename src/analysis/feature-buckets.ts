// Collects the buckets of a text's features, in an array that the next text reuses: a review has hundreds.
import { finishHash, hashUnit } from "./hash.ts";

type Span = { start: number; end: number };

/** Groups of `min` to `max` code units; `isMarked` with a mark before and behind the word. */
type NgramKind = { seed: number; min: number; max: number; isMarked: boolean };

const mark = "^".charCodeAt(0);

export class FeatureBuckets {
  readonly #buckets: Uint32Array;
  #mask = 0;
  count = 0;

  constructor(countMax: number) {
    this.#buckets = new Uint32Array(countMax);
  }

  /** @param mask of a table with `mask + 1` rows */
  begin(mask: number): void {
    this.#mask = mask;
    this.count = 0;
  }

  add(hash: number): void {
    this.#buckets[this.count] = finishHash(hash, this.#mask);
    this.count += 1;
  }

  addNgrams(text: string, { start, end }: Span, { seed, min, max, isMarked }: NgramKind): void {
    const margin = isMarked ? 1 : 0;
    for (let from = start - margin; from < end; from += 1) {
      // A mark alone says nothing.
      const least = Math.max(start, from + min - 1);
      const last = Math.min(from + max, end + margin);
      let hash = seed;
      for (let at = from; at < last; at += 1) {
        hash = hashUnit(hash, at < start || at === end ? mark : text.charCodeAt(at));
        if (at >= least) this.add(hash);
      }
    }
  }

  /** With repeats, in the order of the text. */
  finish(): Uint32Array {
    return this.#buckets.subarray(0, this.count);
  }
}
