// How much JavaScript the first page loads before it shows anything, compressed as it is sent. A library that slips in shows here.
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../support/built-cli.ts";

const built = path.resolve(import.meta.dirname, "../../dist/dashboard");
// With gzip, for clients without brotli, it is 13 % more.
const compressedBytesMax = 125_000;

beforeAll(() => ensureBuilt());

const read = (name: string): string => readFileSync(path.join(built, name), "utf8");

test("the start, with Overview and Reviews, needs at most 125 kB of compressed JavaScript", () => {
  // All that the entry imports at once is named for preloading; other pages and the charts are imported later.
  const names = [...read("index.html").matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)].map(
    ([, name = ""]) => name,
  );
  const sizes = names.map((name) => ({ name, bytes: brotliCompressSync(read(name)).length }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(names.length, "chunks").toBeGreaterThan(1);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(compressedBytesMax);
});
