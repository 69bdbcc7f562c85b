// The shipped weights: small enough, complete, and the files that the model card describes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readWeightFile } from "../lib/weight-file.ts";
import { findModelFault } from "./model-files.ts";
import type { LanguageHead } from "./ngram-classifier.ts";
import { sentimentBucketCount } from "./sentiment-features.ts";
import { type TopicHead, topicBucketCount } from "./topic-classifier.ts";

const folder = new URL("./models/", import.meta.url);
const files = fs.readdirSync(folder).filter((name) => name.endsWith(".bin"));
const bytesMax = 10_000_000;

test("the weights of all models are there and take 10 MB at most", () => {
  expect(files.sort()).toEqual(["language.bin", "sentiment.bin", "topics.bin"]);
  const sizes = files.map((name) => fs.statSync(new URL(name, folder)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytesMax);
});

test("the model card names the checksum of every file that is shipped", () => {
  const card = fs.readFileSync(new URL("MODEL_CARD.md", folder), "utf8");
  for (const name of files) {
    const bytes = fs.readFileSync(new URL(name, folder));
    expect(card).toContain(createHash("sha256").update(bytes).digest("hex"));
  }
});

test("a file that is damaged, cut or missing is found and named", () => {
  expect(findModelFault()).toBeNull();
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-models-"));
  try {
    fs.cpSync(folder, copy, { recursive: true });
    const url = pathToFileURL(`${copy}/`);
    expect(findModelFault(url)).toBeNull();
    fs.truncateSync(path.join(copy, "sentiment.bin"), 1_000_000);
    const bytes = fs.readFileSync(path.join(copy, "topics.bin"));
    bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
    fs.writeFileSync(path.join(copy, "topics.bin"), bytes);
    fs.rmSync(path.join(copy, "language.bin"));
    expect(findModelFault(url)).toBe(
      "the weights of the analysis can't be used: language.bin is missing, sentiment.bin is damaged, topics.bin is damaged; install Starpost again",
    );
    fs.rmSync(path.join(copy, "SHA256SUMS"));
    expect(findModelFault(url)).toContain("SHA256SUMS is missing");
  } finally {
    fs.rmSync(copy, { recursive: true });
  }
});

test("each file holds a weight for every bucket and class, and no more", () => {
  const sentiment = readWeightFile(new URL("sentiment.bin", folder));
  expect(sentiment.weights).toHaveLength(sentimentBucketCount * 2);
  const topics = readWeightFile<TopicHead>(new URL("topics.bin", folder));
  expect(topics.weights).toHaveLength(topicBucketCount * topics.head.topics.length);
  const { head, weights } = readWeightFile<LanguageHead>(new URL("language.bin", folder));
  const sizes = head.scripts.map(({ languages, placeCount }) => languages.length * placeCount);
  expect(weights).toHaveLength(sizes.reduce((sum, size) => sum + size, 0));
});
