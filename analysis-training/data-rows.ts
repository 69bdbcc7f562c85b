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

/** Folder of the data; run.mjs sets `REVIEWS_DATA` to a folder beside the checkout unless it is set. */
export const dataFolder = process.env["REVIEWS_DATA"] ?? ".";

export function readRows(name: string): DataRow[] {
  const compressed = fs.readFileSync(path.join(dataFolder, `${name}.jsonl.gz`));
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
