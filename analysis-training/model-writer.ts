// Writes trained weights as the engine reads them: one byte each, in steps that all but the rarest
// weights fit into.
import fs from "node:fs";

const byteMax = 127;
// One weight in ten thousand is cut, so that the others keep their digits.
const coveredShare = 0.9999;

/** The step of a byte that covers the weights. */
export function stepOf(weights: Float32Array): number {
  const sizes = weights
    .filter((weight) => weight !== 0)
    .map(Math.abs)
    .sort();
  const covered = sizes[Math.floor((sizes.length - 1) * coveredShare)] ?? 0;
  return covered === 0 ? 1 : covered / byteMax;
}

export function toBytes(weights: Float32Array, step: number): Int8Array {
  return Int8Array.from(weights, (weight) =>
    Math.max(-byteMax, Math.min(byteMax, Math.round(weight / step))),
  );
}

export function writeModel(
  file: string,
  { head, parts }: { head: object; parts: readonly Int8Array[] },
): void {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const bytes = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.length));
  fs.writeFileSync(file, Buffer.concat([length, json, ...bytes]));
}
