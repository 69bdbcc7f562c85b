// Our own gold: reviews with all topics and the sentiment. Written ones are in `gold/`, one file per language; of
// real reviews `gold/store-reviews.jsonl` and `gold/other-reviews.jsonl` have the labels and a hash of the text, which is read
// from the data folder.
// The definitions are in gold/README.md. A third of the rows decides: it is never trained with, and only
// `npm run evaluate -- deciding` and the model card read it.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import type { Topic } from "../src/domain/review/topics.ts";
import { lazy } from "../src/lib/lazy.ts";
import { type DataRow, hasRows, type Label, readRows } from "./data-rows.ts";
import { textHash } from "./random.ts";

export type GoldLabels = { topics: Topic[]; sentiment: Label | "mixed" };

export type GoldRow = GoldLabels & {
  text: string;
  /** As the analysis names it. */
  language: string;
  stars: number | null;
  licence: string;
  origin: string;
  /** Labels of a second pass: by the writer over a sample, or by another annotator without sight of the first. */
  second?: GoldLabels;
  /** Labels of the first of two annotators; see gold/README.md for whose count. */
  first?: GoldLabels;
};

export const writtenOrigin = "written for Starpost";

/** A row of labels of real reviews; `key` is `storeReviewKey` of the text. */
export type StoreReviewLabels = Omit<GoldRow, "text" | "stars"> & { key: string };

export const storeReviewsFile = "store-reviews.jsonl";
const otherReviewsFile = "other-reviews.jsonl";

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

/** Title and text as annotators read them. */
export function fullText({ title, text }: Pick<DataRow, "title" | "text">): string {
  return (title ? `${title}. ${text}` : text).trim();
}

export function storeReviewKey(row: Pick<DataRow, "title" | "text">): string {
  return createHash("sha256")
    .update(goldKey(fullText(row)))
    .digest("hex")
    .slice(0, 16);
}

/** Whether the row is one of the labelled store reviews that decide, by which nothing may be trained. */
export function createDecidingFilter(): (row: DataRow) => boolean {
  const keys = new Set(readDecidingGold().map(({ text }) => goldKey(text)));
  return (row) => keys.has(goldKey(fullText(row)));
}

export function readDevelopmentGold(): GoldRow[] {
  return readGold().filter((row) => !isDeciding(row));
}

export function readDecidingGold(): GoldRow[] {
  return [...readGold().filter(isDeciding), ...readOtherReviews()];
}

export function goldFile(name: string): string {
  return path.join(folder, name);
}

export function readGold(): GoldRow[] {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const written = files.filter((name) => name !== storeReviewsFile && name !== otherReviewsFile);
  return [...written.sort().flatMap((name) => readLines<GoldRow>(name)), ...readStoreReviews()];
}

/** Without the data folder there are none. */
export function readStoreReviews(): GoldRow[] {
  return readLabelled(storeReviewsFile, () => readRows(storeReviewSource));
}

/** Reviews of sources that no weights may be trained with; all of them decide. */
export const readOtherReviews = lazy(() =>
  readLabelled(otherReviewsFile, () =>
    ["app-reviews-dated", "app-reviews-undated"].flatMap(readRows).filter(isInOtherLanguage),
  ),
);

// Most rows of the large sources are in none of the languages of these labels.
const otherLanguages = new Set(["de", "es", "id", "ko"]);

function isInOtherLanguage({ lang, lang_detected: detected = "" }: DataRow): boolean {
  return otherLanguages.has(lang ?? detected);
}

function readLabelled(name: string, readTexts: () => DataRow[]): GoldRow[] {
  if (!hasRows(storeReviewSource)) return [];
  const labels = readLines<StoreReviewLabels>(name);
  const origins = new Set(labels.map(({ origin }) => origin));
  const rows = readTexts().filter(({ source }) => origins.has(source));
  const byKey = new Map(rows.map((row) => [storeReviewKey(row), row]));
  return labels.map(({ key, ...row }) => {
    const review = byKey.get(key);
    if (review === undefined) throw new Error(`no review of ${row.origin} has the key ${key}`);
    return { ...row, text: fullText(review), stars: review.rating ?? null };
  });
}

export const storeReviewSource = "licensed-subset";

// test/gold.test.ts checks every row.
function readLines<Row>(name: string): Row[] {
  if (!fs.existsSync(goldFile(name))) return [];
  const lines = fs.readFileSync(goldFile(name), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}
