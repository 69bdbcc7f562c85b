// Trains the decisions on sentiment and topics and writes them into sentiment.bin and topics.bin, in the folder of the
// first argument. Run by `npm run train` after the zero points.
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { SentimentHead } from "../src/analysis/sentiment-model.ts";
import type { TopicHead } from "../src/analysis/topic-classifier.ts";
import { readWeightFile } from "../src/lib/weight-file.ts";
import { readDecisionRows } from "./decision-rows.ts";
import { trainSentimentDecision } from "./decision-trainer.ts";
import { writeModel } from "./model-writer.ts";
import { trainTopicDecision } from "./topic-decision.ts";
import { classifiedTopics } from "./topic-rows.ts";

const folder = process.argv[2] ?? ".";
const sentimentFile = path.join(folder, "sentiment.bin");
const sentiment = readWeightFile<SentimentHead>(pathToFileURL(sentimentFile));
const rows = readDecisionRows(sentiment.head.zeroPoints);
const decision = trainSentimentDecision(rows);
writeModel(sentimentFile, { head: { ...sentiment.head, decision }, parts: [sentiment.weights] });

const topicFile = path.join(folder, "topics.bin");
const topics = readWeightFile<TopicHead>(pathToFileURL(topicFile));
const columns = classifiedTopics.flatMap((topic) =>
  topics.head.topics
    .filter((column) => column.topic === topic)
    .map((column) => ({ ...column, decision: trainTopicDecision(rows, topic) })),
);
writeModel(topicFile, { head: { ...topics.head, topics: columns }, parts: [topics.weights] });
