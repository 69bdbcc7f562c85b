// A set of places that is emptied without touching it: every place carries the round it was added in.
// Sorting or a Set took nearly half of the time of a review.

const slotCount = 2 ** 13;
const slotMask = slotCount - 1;

export class PlaceSet {
  readonly #places = new Uint32Array(slotCount);
  readonly #rounds = new Uint32Array(slotCount);
  readonly #groups = new Uint16Array(slotCount);
  #round = 0;

  /** Must hold fewer than `slotCount` places until the next call. */
  clear(): void {
    this.#round = (this.#round + 1) >>> 0;
    if (this.#round !== 0) return;
    this.#rounds.fill(0);
    this.#round = 1;
  }

  /** Whether the place is new; one that is not is moved to the group. */
  add(place: number, group: number): "new" | "new to the group" | "known" {
    // The places are hashes, so that their low bits are as good as any.
    let slot = place & slotMask;
    while (this.#rounds[slot] === this.#round) {
      if (this.#places[slot] === place) {
        if (this.#groups[slot] === group) return "known";
        this.#groups[slot] = group;
        return "new to the group";
      }
      slot = (slot + 1) & slotMask;
    }
    this.#rounds[slot] = this.#round;
    this.#places[slot] = place;
    this.#groups[slot] = group;
    return "new";
  }
}
