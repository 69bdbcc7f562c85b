// Store pages for parser tests: synthetic ones in test/fixtures/store-pages, without real texts, and recorded ones if a
// folder of recordings exists.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { recordedBytes, recordedNames } from "./recorded.ts";

export const syntheticFolder = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "../fixtures/store-pages",
);

export type StorePage = { source: "synthetic" | "recorded"; kind: string; name: string };

/** Pages of one kind, sorted, synthetic ones first; a kind is a folder. */
export function listStorePages(kind: string, extension = ""): StorePage[] {
  const synthetic = fs
    .readdirSync(path.join(syntheticFolder, kind))
    .filter((name) => name.endsWith(extension))
    .sort();
  return [
    ...synthetic.map((name) => ({ source: "synthetic" as const, kind, name })),
    ...recordedNames(kind, extension).map((name) => ({ source: "recorded" as const, kind, name })),
  ];
}

export function readStorePage({ source, kind, name }: StorePage): string {
  return source === "recorded"
    ? recordedBytes(kind, name).toString("utf8")
    : syntheticBytes(kind, name).toString("utf8");
}

export function syntheticText(kind: string, name: string): string {
  return syntheticBytes(kind, name).toString("utf8");
}

export function syntheticBytes(kind: string, name: string): Buffer {
  return fs.readFileSync(path.join(syntheticFolder, kind, name));
}
