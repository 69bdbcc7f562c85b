// A set of places that is emptied without touching it: every place carries the round it was added in.
// Sorting or a Set took nearly half of the time of a review.

const slotCountMax = 2 ** 13;
const slotCountMin = 2 ** 6;
const placeBits = 20;
const roundCount = 2 ** (32 - placeBits);

/** Of places below 2^20. */
export class IndexSet {
  /** The round above, the place below: one look answers for both. */
  readonly #entries = new Int32Array(slotCountMax);
  readonly #groups = new Uint16Array(slotCountMax);
  #round = 0;
  #slotMask = slotCountMax - 1;

  /** For at most `countMax` places; short texts stay within what the processor keeps closest. */
  clear(countMax: number): void {
    if (countMax >= slotCountMax) throw new RangeError(`${countMax} places are too many`);
    // Between a quarter and a half of the slots, as long as there are more.
    const slotCount = 2 ** (33 - Math.clz32(countMax));
    this.#slotMask = Math.min(Math.max(slotCount, slotCountMin), slotCountMax) - 1;
    this.#round = (this.#round + 1) % roundCount;
    if (this.#round !== 0) return;
    this.#entries.fill(0);
    this.#round = 1;
  }

  /** Whether the place is new; one that is not is moved to the group. */
  add(place: number, group: number): "new" | "new to the group" | "known" {
    const entry = (this.#round << placeBits) | place;
    // The places are hashes, so that their low bits are as good as any.
    let slot = place & this.#slotMask;
    while (((this.#entries[slot] ?? 0) ^ entry) >>> placeBits === 0) {
      if (this.#entries[slot] === entry) {
        if (this.#groups[slot] === group) return "known";
        this.#groups[slot] = group;
        return "new to the group";
      }
      slot = (slot + 1) & this.#slotMask;
    }
    this.#entries[slot] = entry;
    this.#groups[slot] = group;
    return "new";
  }
}
