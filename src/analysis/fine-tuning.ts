// Weights of sentiment that were trained further on the reviews of one installation, for one language:
// how far each place of the shipped table is shifted towards praise or blame.

/** For one language; `number` tells one adaptation of it from the next. */
export type FineTuning = { number: number; deltas: DeltaTable };

/** By language. */
export type FineTunings = ReadonlyMap<string, FineTuning>;

/** The most places that one adaptation shifts: what bounds its size and memory. */
export const deltaCountMax = 40_000;

const headBytes = 8;
const shiftBytes = 6;
const slotBits = 17;
// Two less than fit, for what rounding adds.
const stepsMax = 0x7ffd;

/**
 * Places with their shifts, found by open addressing. As bytes: what one step is worth (float, 4
 * bytes), the number of shifts (4), and for each its place (4) and its steps (2); little endian.
 */
export class DeltaTable {
  readonly step: number;
  readonly #places = new Uint32Array(2 ** slotBits);
  readonly #steps = new Int16Array(2 ** slotBits);

  /** Throws on bytes that `writeShifts` has not written. */
  constructor(bytes: Buffer) {
    this.step = bytes.readFloatLE(0);
    const count = bytes.readUInt32LE(4);
    if (count > deltaCountMax || bytes.length !== headBytes + count * shiftBytes) {
      throw new Error("these bytes are no adaptation");
    }
    for (let index = 0; index < count; index += 1) {
      const at = headBytes + index * shiftBytes;
      this.#put(bytes.readUInt32LE(at), bytes.readInt16LE(at + 4));
    }
  }

  /** In steps; 0 where nothing is shifted. */
  stepsAt(place: number): number {
    return this.#steps[this.#slotOf(place)] ?? 0;
  }

  #put(place: number, steps: number): void {
    const slot = this.#slotOf(place);
    // One more, so that an empty slot is none.
    this.#places[slot] = place + 1;
    this.#steps[slot] = steps;
  }

  #slotOf(place: number): number {
    const mask = this.#places.length - 1;
    // The places are hashes, so that their low bits are as good as any.
    let slot = place & mask;
    while (this.#places[slot] !== 0 && this.#places[slot] !== place + 1) slot = (slot + 1) & mask;
    return slot;
  }
}

/** The largest shifts of a trained table, in the order of their places. */
export function encodeDeltas(deltas: Float32Array): Buffer {
  const sizes = listSizes(deltas);
  const least = sizes[Math.max(0, sizes.length - deltaCountMax)] ?? 0;
  const largest = sizes.at(-1) ?? 0;
  // As it is read back, so that the largest shift stays within its 16 bits.
  const step = Math.fround(largest / stepsMax) || 1;
  const count = Math.min(sizes.length, deltaCountMax);
  const bytes = Buffer.alloc(headBytes + count * shiftBytes);
  bytes.writeFloatLE(step, 0);
  bytes.writeUInt32LE(count, 4);
  // Of those that are as large as the least, as many as there is room for.
  let tieCount = sizes.lastIndexOf(least) + 1 - (sizes.length - count);
  let at = headBytes;
  for (let place = 0; place < deltas.length && at < bytes.length; place += 1) {
    const delta = deltas[place] ?? 0;
    const size = Math.abs(delta);
    if (size === 0 || size < least) continue;
    if (size === least) {
      if (tieCount === 0) continue;
      tieCount -= 1;
    }
    bytes.writeUInt32LE(place, at);
    bytes.writeInt16LE(Math.round(delta / step), at + 4);
    at += shiftBytes;
  }
  return bytes;
}

/** Of all shifts there are, ascending. */
function listSizes(deltas: Float32Array): Float32Array {
  const sizes = new Float32Array(deltas.length);
  let count = 0;
  for (const delta of deltas) {
    if (delta === 0) continue;
    sizes[count] = Math.abs(delta);
    count += 1;
  }
  return sizes.slice(0, count).sort();
}
