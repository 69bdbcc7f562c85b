// Reads the rows of labelled reviews and texts. They stay where they are: nothing of them is ever
// written into the project but the weights that sources with a permissive licence trained.
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

/** Where the data is; run.mjs sets it to a folder beside the checkout unless told otherwise. */
export const dataFolder = process.env["REVIEWS_DATA"] ?? ".";

export function readRows(name: string): DataRow[] {
  const packed = fs.readFileSync(path.join(dataFolder, `${name}.jsonl.gz`));
  return zlib
    .gunzipSync(packed)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(parseRow);
}

// The files are made by one program, and a row that lacks a field lacks it for every reader.
function parseRow(line: string): DataRow {
  return JSON.parse(line) as DataRow;
}
