// Reads labelled reviews and texts from the data folder. Nothing of them is written into the project but
// the weights, which are trained on sources with a permissive licence only.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

export type Label = "negative" | "neutral" | "positive";

export type DataRow = {
  source: string;
  kind: string;
  app?: string;
  rating?: number | null;
  title?: string | null;
  text: string;
  lang?: string;
  lang_detected?: string;
  sentiment_gold?: Label | "mixed";
  topics_gold?: string[];
  topics_from?: string;
  split?: string;
};

/** `REVIEWS_DATA`, by default a folder beside the checkout; run.mjs sets it, because the programs run from a copy. */
const dataFolder =
  process.env["REVIEWS_DATA"] ?? path.resolve(import.meta.dirname, "../../shared/reviews");

export function hasRows(name: string): boolean {
  return fs.existsSync(rowsFile(name));
}

const extension = ".jsonl.gz";

function rowsFile(name: string): string {
  return path.join(dataFolder, `${name}${extension}`);
}

/** All files of rows. */
export function reviewFiles(): string[] {
  const names = fs.readdirSync(dataFolder).filter((name) => name.endsWith(extension));
  return names.map((name) => path.resolve(dataFolder, name));
}

export function readRows(name: string): DataRow[] {
  const compressed = fs.readFileSync(rowsFile(name));
  return zlib
    .gunzipSync(compressed)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(parseRow);
}

// One program writes these files, so their fields are trusted; a missing field is undefined.
function parseRow(line: string): DataRow {
  return JSON.parse(line) as DataRow;
}
