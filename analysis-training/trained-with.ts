// Records what the weights were trained with, so that a later change of it does not go unnoticed: `npm run train` writes
// `trained-with.json`, and the model card says what has changed since.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { reviewFiles } from "./data-rows.ts";
import { goldFile } from "./gold-rows.ts";

type Hashes = Readonly<Record<string, string>>;
/** Hashes of what goes into training, by kind, and of the files of weights that come out. */
type Training = { inputs: Hashes; weights: Hashes };

const checkout = path.resolve(goldFile("../.."));
const record = path.join(checkout, "analysis-training/trained-with.json");
/** Its words are chosen, not trained, and training corrects misspelt words by them. */
const spellingFile = "spelling.bin";
const programs = ["train.ts", "zero-points.ts", "decision.ts"];

export function recordTraining(modelFolder: string): void {
  const training: Training = { inputs: hashInputs(), weights: hashWeights(modelFolder) };
  fs.writeFileSync(record, `${JSON.stringify(training, null, 2)}\n`);
}

/** A sentence for the model card. */
export function describeTraining(modelFolder: string): string {
  const trained = JSON.parse(fs.readFileSync(record, "utf8")) as Training;
  const changed = [
    ...listChanged(trained.inputs, hashInputs()),
    ...listChanged(trained.weights, hashWeights(modelFolder)),
  ];
  return changed.length === 0
    ? "The code of training, the word lists, the gold and the reviews are those that the weights were trained with."
    : `Changed since the weights were trained: ${changed.join(", ")}. Training again may give other weights.`;
}

function listChanged(before: Hashes, now: Hashes): string[] {
  return Object.keys(now).filter((name) => now[name] !== before[name]);
}

function hashInputs(): Hashes {
  return {
    code: hashFiles(listImports(programs.map((name) => `analysis-training/${name}`))),
    "word lists": hashFiles(listFiles("src/analysis/words")),
    gold: hashFiles(listFiles("analysis-training/gold").filter((name) => name.endsWith(".jsonl"))),
    reviews: hashFiles(reviewFiles()),
    "misspelt words": hashFiles([path.join("src/analysis/models", spellingFile)]),
  };
}

function hashWeights(modelFolder: string): Hashes {
  const names = fs
    .readdirSync(modelFolder)
    .filter((name) => name.endsWith(".bin") && name !== spellingFile);
  return Object.fromEntries(
    names.sort().map((name) => [name, hashFiles([path.join(modelFolder, name)])]),
  );
}

/** @param files in the checkout, or absolute */
function hashFiles(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    const bytes = fs.readFileSync(path.resolve(checkout, file));
    hash.update(file.endsWith(".ts") ? withoutComments(bytes.toString("utf8")) : bytes);
  }
  return hash.digest("hex");
}

function withoutComments(code: string): string {
  return code.replaceAll(/^ *(?:\/\/|\/?\*).*\n/gm, "");
}

function listFiles(folder: string): string[] {
  const entries = fs.readdirSync(path.join(checkout, folder), { recursive: true });
  const files = entries.map((name) => path.join(folder, String(name)));
  return files.filter((file) => fs.statSync(path.join(checkout, file)).isFile());
}

/** These files and all of the analysis and its training that they import, types too; what others share is left out. */
function listImports(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found) {
    const code = fs.readFileSync(path.join(checkout, file), "utf8");
    for (const [, name = ""] of code.matchAll(/ from "(\.[^"]+)"/g)) {
      const imported = path.join(path.dirname(file), name);
      if (/^(?:analysis-training|src\/analysis)\//.test(imported)) found.add(imported);
    }
  }
  return [...found];
}
