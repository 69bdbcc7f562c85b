// How much JavaScript the first page loads: the start of the application, the Overview and its charts, compressed as
// they are sent. A library that slips in shows here.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "./support/built-cli.ts";

const built = path.resolve(import.meta.dirname, "../dist/dashboard");
// With gzip, for clients without brotli, it is 13 % more.
const compressedBytesMax = 120_000;

beforeAll(() => ensureBuilt());

const read = (name: string): string => readFileSync(path.join(built, name), "utf8");
/** Chunks that a chunk names: `./name-hash.js`, imported at once or later. */
const importedBy = (chunk: string): string[] =>
  [...read(`assets/${chunk}`).matchAll(/(?:from|import)\s*\(?\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(
    ([, name = ""]) => name,
  );

test("the Overview needs at most 120 kB of compressed JavaScript", () => {
  const chunks = readdirSync(path.join(built, "assets"));
  const start = [...read("index.html").matchAll(/(?:src|href)="\/assets\/([\w.-]+\.js)"/g)].map(
    ([, name = ""]) => name,
  );
  const overview = chunks.filter((name) => /^overview-.*\.js$/.test(name));
  expect([start.length > 0, overview.length]).toEqual([true, 1]);
  // The first chunk; other pages are imported later: only what it imports at once counts.
  const isPage = new Set(start.flatMap(importedBy));
  const needed = new Set<string>();
  const visit = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of importedBy(name)) if (!isPage.has(other)) visit(other);
  };
  for (const name of start) needed.add(name);
  for (const name of overview) visit(name);
  const sizes = [...needed].map((name) => ({
    name,
    bytes: brotliCompressSync(read(`assets/${name}`)).length,
  }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(needed.size, "chunks").toBeGreaterThan(start.length);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(compressedBytesMax);
});
