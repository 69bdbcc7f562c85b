// Reads a list of words that ships with the code: one word a line, the most frequent first, in Brotli.
import fs from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** The words with their rank, from 1. */
export function readRankedWords(url: URL): ReadonlyMap<string, number> {
  const words = brotliDecompressSync(fs.readFileSync(url)).toString("utf8").split("\n");
  return new Map(words.map((word, index) => [word, index + 1]));
}
