// starpost topics: the names that a channel's filter and the read API take; starpost topic: those that a workspace
// defines itself.
import { topicNames } from "../../domain/topics.ts";
import { changeTopic, createTopic, removeTopic } from "../../operations/topic.ts";
import { listOwnTopicStates } from "../../use-cases/topics/own-topics.ts";
import { previewOwnTopic } from "../../use-cases/topics/preview-topic.ts";
import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import { required, workspaceOption } from "../option.ts";

const workspace = workspaceOption("The workspace that has the topic.");
const name = required("<name>", "Its name, like sleep_timer.");
const phrases = {
  ...required("--phrases <phrases>", "Phrases with commas; a * continues the word: sleep timer*"),
  parse: (text: string | boolean | undefined) => String(text ?? "").split(","),
};

const columns = ["name", "phrases", "matchCount", "readCount", "totalCount"];
const shownMax = 200;

export const commands: Command[] = [
  command({
    name: "topics",
    async runAlone() {
      return { value: topicNames.map((topic) => ({ topic })), columns: ["topic"] };
    },
  }),
  command({
    name: "topic create",
    description: "Define a topic by phrases; stored reviews are read for it in the background.",
    args: { name },
    options: { workspace, phrases },
    async run(context, { workspace: workspaceId, ...values }) {
      const { result: value } = await operate(context, createTopic, { workspaceId, values });
      return { value };
    },
  }),
  command({
    name: "topic update",
    description: "Replace the phrases of a topic; stored reviews are read again for it.",
    args: { name },
    options: { workspace, phrases },
    async run(context, { name: id, workspace: workspaceId, ...values }) {
      const { result: value } = await operate(context, changeTopic, { workspaceId, id, values });
      return { value };
    },
  }),
  command({
    name: "topic list",
    description: "List a workspace's own topics: how many reviews have them, of how many read.",
    options: { workspace },
    async run({ database }, { workspace: workspaceId }) {
      return { value: await listOwnTopicStates(database, { workspaceId }), columns };
    },
  }),
  command({
    name: "topic preview",
    description: "Show what phrases would find in the newest 1,000 reviews, and ten of them.",
    options: { workspace, phrases },
    async run({ database, isJson }, { workspace: workspaceId, phrases }) {
      const preview = await previewOwnTopic(database, { workspaceId, phrases });
      const { readCount, matchCount } = preview;
      const samples = preview.samples.map(({ review, words }) => ({
        ...{ id: review.id, rating: review.rating, date: review.date, words },
        text: [review.title, review.text].filter(Boolean).join(": ").slice(0, shownMax),
      }));
      if (isJson) return { value: { readCount, matchCount, samples } };
      const lines = samples.map(
        ({ rating, words, text }) => `  ${rating}★ ${words.join(", ")}: ${text}`,
      );
      const found = `would have matched ${matchCount} of the last ${readCount} reviews`;
      return { value: found, lines };
    },
  }),
  command({
    name: "topic remove",
    description: "Remove a topic of a workspace, and what it found.",
    args: { name },
    options: { workspace },
    question: async () => "Remove the topic, and what it found in reviews?",
    async run(context, { name: id, workspace: workspaceId }) {
      const { result: value } = await operate(context, removeTopic, { workspaceId, id });
      return { value };
    },
  }),
];
