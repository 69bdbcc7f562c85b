// Our own gold: reviews with all topics and the sentiment, one file per language in `gold/`. The definitions are in
// gold/README.md. A third of the rows decides: it is never trained with, and only `npm run evaluate -- deciding` and
// the model card read it.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import type { Topic } from "../src/domain/topics.ts";
import type { Label } from "./data-rows.ts";
import { textHash } from "./sources.ts";

export type GoldLabels = { topics: Topic[]; sentiment: Label | "mixed" };

export type GoldRow = GoldLabels & {
  text: string;
  /** As the analysis names it. */
  language: string;
  stars: number | null;
  licence: string;
  origin: string;
  /** Of a second pass by the writer over a sample. */
  second?: GoldLabels;
};

/** The folder in the checkout; run.mjs sets it, because the programs run from a temporary copy. */
const folder = process.env["GOLD_FOLDER"] ?? fileURLToPath(new URL("gold", import.meta.url));

const parts = 3;

/** Letters and digits of the normalized text: two rows with the same are one. */
export function goldKey(text: string): string {
  const normalized = normalizeReview({ title: null, text })?.text ?? text;
  const letters = normalized.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
  return letters === "" ? normalized : letters;
}

function isDeciding({ text }: GoldRow): boolean {
  return textHash(goldKey(text)) % parts === 0;
}

export function readDevelopmentGold(): GoldRow[] {
  return readGold().filter((row) => !isDeciding(row));
}

export function readDecidingGold(): GoldRow[] {
  return readGold().filter(isDeciding);
}

export function goldFile(name: string): string {
  return path.join(folder, name);
}

export function readGold(): GoldRow[] {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return files.sort().flatMap((name) =>
    fs
      .readFileSync(goldFile(name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      // test/gold.test.ts checks every row.
      .map((line) => JSON.parse(line) as GoldRow),
  );
}
