// Writes rows of labelled reviews into `gold/`: the second argument is a folder with `<language>.jsonl`, and beside it the
// labels of a second pass: `<language>.second.jsonl` by the writer, or `<language>.other.jsonl` by an annotator who has not
// seen the writer's labels. Rows whose normalized text is in another source, or twice, are left out.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { type Topic, topicNames } from "../src/domain/review/topics.ts";
import { readRows } from "./data-rows.ts";
import { type GoldLabels, type GoldRow, goldKey, readGold, writtenOrigin } from "./gold-rows.ts";

const [, , folder = ".", from = "."] = process.argv;
const otherSources = [
  "app-reviews-dated",
  "app-reviews-undated",
  "licensed-subset",
  "sentiment-gold",
  "topics-gold",
];
/** Where the analysis names a language shorter. */
const languageNames: Readonly<Record<string, string>> = {
  "pt-BR": "pt",
  "zh-Hans": "zh",
  "zh-Hant": "zh",
  nb: "no",
};

const names = fs
  .readdirSync(from)
  .filter((name) => /^[\w-]+\.jsonl$/.test(name))
  .map((file) => path.basename(file, ".jsonl"))
  .sort();
const written = new Set(names.map((name) => languageNames[name] ?? name));
const otherGold = readGold().filter(({ language }) => !written.has(language));
const known = new Set(
  [...otherSources.flatMap(readRows), ...otherGold].map(({ text }) => goldKey(text)),
);
const order = new Map(topicNames.map((topic, at) => [topic, at]));

type WrittenRow = GoldLabels & { text: string; stars?: number };

function readLines(file: string): WrittenRow[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as WrittenRow);
}

function labelsOf({ topics, sentiment }: GoldLabels): GoldLabels {
  const sorted = [...new Set(topics)].sort((a, b) => positionOf(a) - positionOf(b));
  return { topics: sorted, sentiment };
}

function positionOf(topic: Topic): number {
  return order.get(topic) ?? topicNames.length;
}

for (const name of names) {
  const second = new Map(
    readLines(path.join(from, `${name}.second.jsonl`)).map((row) => [row.text, labelsOf(row)]),
  );
  const others = new Map(
    readLines(path.join(from, `${name}.other.jsonl`)).map((row) => [row.text, labelsOf(row)]),
  );
  const written = readLines(path.join(from, `${name}.jsonl`));
  const rows: GoldRow[] = [];
  for (const { text, stars, ...labels } of written) {
    const key = goldKey(text);
    if (known.has(key)) continue;
    known.add(key);
    const own = labelsOf(labels as GoldLabels);
    const again = second.get(text);
    const other = others.get(text);
    rows.push({
      text,
      language: languageNames[name] ?? name,
      ...own,
      stars: stars ?? null,
      licence: "MIT",
      origin: writtenOrigin,
      ...(again && { second: again }),
      ...(other && { first: own, second: other }),
    });
  }
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  fs.writeFileSync(path.join(folder, `${name}.jsonl`), lines);
  process.stdout.write(`${name}: ${rows.length} of ${written.length} rows\n`);
}
