// Reads a file of trained weights: one byte for each, behind a header that describes them, compressed with Brotli.
import fs from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** Weights of one byte with what is needed to read them. */
export type WeightFile<Head> = { head: Head; weights: Int8Array };

const headLengthBytes = 4;

/**
 * Unpacked, a file is the length of its head (unsigned, little endian), the head as JSON, and the weights. The
 * head's type is a promise of the program that trained it, as is the code that comes with the file.
 */
export function readWeightFile<Head>(url: URL): WeightFile<Head> {
  const bytes = brotliDecompressSync(fs.readFileSync(url));
  const headEnd = headLengthBytes + bytes.readUInt32LE(0);
  const head = JSON.parse(bytes.toString("utf8", headLengthBytes, headEnd)) as Head;
  return {
    head,
    weights: new Int8Array(bytes.buffer, bytes.byteOffset + headEnd, bytes.length - headEnd),
  };
}
