// Fine-tuned sentiment weights of one language: a delta towards positive or negative for some buckets of
// the shipped table. Defines how deltas are encoded and looked up.

/** The fine-tuning of one language; `number` counts the weights that were promoted for it. */
export type FineTuning = { number: number; deltas: DeltaTable };

/** By language. */
export type FineTunings = ReadonlyMap<string, FineTuning>;

/** Bounds the size of a fine-tuning: 240 kB encoded, 768 kB in memory. */
export const deltaCountMax = 40_000;

const headBytes = 8;
const deltaBytes = 6;
const slotBits = 17;
// Two less than fit into 16 bits, because of rounding.
const stepsMax = 0x7ffd;

/**
 * Deltas by bucket, in a hash table with open addressing. Encoded, little endian: the value of one step
 * (float, 4 bytes), the number of deltas (4), then for each its bucket (4) and its steps (2).
 */
export class DeltaTable {
  readonly step: number;
  readonly #buckets = new Uint32Array(2 ** slotBits);
  readonly #steps = new Int16Array(2 ** slotBits);

  /** @throws Error on bytes that `encodeDeltas` has not written */
  constructor(bytes: Buffer) {
    this.step = bytes.readFloatLE(0);
    const count = bytes.readUInt32LE(4);
    if (count > deltaCountMax || bytes.length !== headBytes + count * deltaBytes) {
      throw new Error("these bytes are no fine-tuned weights");
    }
    for (let index = 0; index < count; index += 1) {
      const at = headBytes + index * deltaBytes;
      this.#put(bytes.readUInt32LE(at), bytes.readInt16LE(at + 4));
    }
  }

  /** The delta in steps; 0 for a bucket without one. */
  stepsAt(bucket: number): number {
    return this.#steps[this.#slotOf(bucket)] ?? 0;
  }

  #put(bucket: number, steps: number): void {
    const slot = this.#slotOf(bucket);
    // One more, because 0 marks an empty slot.
    this.#buckets[slot] = bucket + 1;
    this.#steps[slot] = steps;
  }

  #slotOf(bucket: number): number {
    const mask = this.#buckets.length - 1;
    // Buckets are hashes, so their low bits are well distributed.
    let slot = bucket & mask;
    while (this.#buckets[slot] !== 0 && this.#buckets[slot] !== bucket + 1)
      slot = (slot + 1) & mask;
    return slot;
  }
}

/** Encodes the `deltaCountMax` largest deltas of a trained table, in the order of their buckets. */
export function encodeDeltas(deltas: Float32Array): Buffer {
  const sizes = listSizes(deltas);
  const smallest = sizes[Math.max(0, sizes.length - deltaCountMax)] ?? 0;
  const largest = sizes.at(-1) ?? 0;
  // Rounded as it is read back, so that the largest delta stays within 16 bits.
  const step = Math.fround(largest / stepsMax) || 1;
  const count = Math.min(sizes.length, deltaCountMax);
  const bytes = Buffer.alloc(headBytes + count * deltaBytes);
  bytes.writeFloatLE(step, 0);
  bytes.writeUInt32LE(count, 4);
  // Takes as many of those of the smallest size as the limit permits.
  let tieCount = sizes.lastIndexOf(smallest) + 1 - (sizes.length - count);
  let at = headBytes;
  for (let bucket = 0; bucket < deltas.length && at < bytes.length; bucket += 1) {
    const delta = deltas[bucket] ?? 0;
    const size = Math.abs(delta);
    if (size === 0 || size < smallest) continue;
    if (size === smallest) {
      if (tieCount === 0) continue;
      tieCount -= 1;
    }
    bytes.writeUInt32LE(bucket, at);
    bytes.writeInt16LE(Math.round(delta / step), at + 4);
    at += deltaBytes;
  }
  return bytes;
}

/** Absolute values of all deltas but 0, ascending. */
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
