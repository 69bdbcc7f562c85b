// starpost topic: the topics that a workspace defines itself.

import { type Command, command } from "../../cli/command.ts";
import { operate } from "../../cli/operate.ts";
import { flag, required, workspaceOption } from "../../cli/option.ts";
import { listOwnTopicStates } from "./list-topics.ts";
import { changeTopic, createTopic, removeTopic, tickTopic } from "./operations.ts";
import { previewOwnTopic } from "./preview-topic.ts";

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
    name: "topic tick",
    description: "Say whether a review has a topic, which teaches the topic.",
    args: { name },
    options: {
      workspace,
      review: required("--review <review>", "The id of the review."),
      wrong: flag("--wrong", "The review does not have the topic; without it, it has."),
    },
    async run(context, { name: id, workspace: workspaceId, review, wrong }) {
      const values = { review, isRight: !wrong };
      const { result: value } = await operate(context, tickTopic, { workspaceId, id, values });
      return { value };
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
