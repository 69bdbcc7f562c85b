// A set of indexes that is cleared in constant time: every entry carries the round it was added in. With
// sorting or a `Set`, deduplication took nearly half of the time of an analysis.

const slotCountMax = 2 ** 13;
const slotCountMin = 2 ** 6;
const indexBits = 20;
const roundCount = 2 ** (32 - indexBits);

/** Of indexes below 2^20, with a group number for each. */
export class IndexSet {
  /** The round in the high bits, the index in the low ones: one comparison covers both. */
  readonly #entries = new Int32Array(slotCountMax);
  readonly #groups = new Uint16Array(slotCountMax);
  #round = 0;
  #slotMask = slotCountMax - 1;

  /**
   * Empties the set for at most `countMax` indexes; few of them use few slots, which stay in the processor's
   * cache.
   * @throws RangeError when `countMax` is too large
   */
  clear(countMax: number): void {
    if (countMax >= slotCountMax) throw new RangeError(`${countMax} indexes are too many`);
    // Between a quarter and a half of the slots, as long as there are more.
    const slotCount = 2 ** (33 - Math.clz32(countMax));
    this.#slotMask = Math.min(Math.max(slotCount, slotCountMin), slotCountMax) - 1;
    this.#round = (this.#round + 1) % roundCount;
    if (this.#round !== 0) return;
    this.#entries.fill(0);
    this.#round = 1;
  }

  /** Whether the index is new; a known one is moved to the group. */
  add(index: number, group: number): "new" | "new to the group" | "known" {
    const entry = (this.#round << indexBits) | index;
    // The indexes are hashes, so their low bits are well distributed.
    let slot = index & this.#slotMask;
    while (((this.#entries[slot] ?? 0) ^ entry) >>> indexBits === 0) {
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
