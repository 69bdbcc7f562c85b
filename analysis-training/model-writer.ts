// Quantizes trained weights to one byte each and writes them in the format of lib/weight-file.ts.
import fs from "node:fs";
import { brotliCompressSync } from "node:zlib";

const byteMax = 127;
// The largest weight in ten thousand is clipped, so that the others keep their precision.
const coveredShare = 0.9999;

/** The value of one quantization step, such that a byte covers all but the largest weights. */
export function quantizationStep(weights: Float32Array): number {
  const sizes = weights
    .filter((weight) => weight !== 0)
    .map(Math.abs)
    .sort();
  const covered = sizes[Math.floor((sizes.length - 1) * coveredShare)] ?? 0;
  return covered === 0 ? 1 : covered / byteMax;
}

export function quantize(weights: Float32Array, step: number): Int8Array {
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
  fs.writeFileSync(file, brotliCompressSync(Buffer.concat([length, json, ...bytes])));
}
