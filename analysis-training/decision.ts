// Trains the decision over the four labels of sentiment and writes it into sentiment.bin, in the folder of the first
// argument. Run by `npm run train` after the zero points.
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { SentimentHead } from "../src/analysis/sentiment-model.ts";
import { readWeightFile } from "../src/lib/weight-file.ts";
import { readDecisionRows } from "./decision-rows.ts";
import { trainDecision } from "./decision-trainer.ts";
import { writeModel } from "./model-writer.ts";

const file = path.join(process.argv[2] ?? ".", "sentiment.bin");
const { head, weights } = readWeightFile<SentimentHead>(pathToFileURL(file));
const decision = trainDecision(readDecisionRows(head.zeroPoints));
writeModel(file, { head: { ...head, decision }, parts: [weights] });
