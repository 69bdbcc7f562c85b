// starpost reply and starpost template: answers to reviews, and the templates of a workspace.
import { type Command, command } from "../../cli/command.ts";
import { operate } from "../../cli/operate.ts";
import { flag, optional, required, workspaceOption } from "../../cli/option.ts";
import { daySchema } from "../../domain/fields.ts";
import { notFound, parseField } from "../../domain/validation-errors.ts";
import { findReplies, toReplyView } from "./find-replies.ts";
import { draftReply, sendReply, withdrawReply } from "./operations.ts";
import { readOutcomes } from "./read-outcomes.ts";
import * as statements from "./sql.ts";
import { changeTemplate, createTemplate, removeTemplate } from "./templates.ts";

const workspace = workspaceOption("The workspace that answers.");
const review = required("<review>", "The id of the review.");
const text = required("--text <text>", "The answer, in plain text.");
const replaces = optional(
  "--replaces <text>",
  "The public answer that it replaces, as `reply show` prints it. Without it, only a review without one is answered.",
);
const template = required("<template>", "The id of the template.");

export const commands: Command[] = [
  command({
    name: "reply show",
    description: "Show the answer to a review: its state, and the answer that the store has.",
    args: { review },
    options: { workspace },
    async run({ database }, { review: id, workspace: workspaceId }) {
      const [row] = await findReplies(database, { workspaceId, ids: [id] });
      if (!row) throw notFound("review", id.slice(0, 60));
      return { value: toReplyView(row) };
    },
  }),
  command({
    name: "reply draft",
    description: "Keep a draft of an answer; nothing is sent.",
    args: { review },
    options: { workspace, text },
    async run(context, { review: id, workspace: workspaceId, text: draft }) {
      const values = { draft };
      const { result } = await operate(context, draftReply, { workspaceId, id, values });
      return { value: toReplyView(result) };
    },
  }),
  command({
    name: "reply send",
    description: "Answer a review in the store: the running service sends it within seconds.",
    args: { review },
    options: { workspace, text, replaces },
    async run(context, { review: id, workspace: workspaceId, ...values }) {
      const { result } = await operate(context, sendReply, { workspaceId, id, values });
      return { value: toReplyView(result) };
    },
  }),
  command({
    name: "reply withdraw",
    description:
      "Withdraw an answer. The App Store removes it; Google Play can't. With --take-back, one that waits to be sent becomes a draft.",
    args: { review },
    options: {
      workspace,
      replaces: optional(
        "--replaces <text>",
        "The public answer that is withdrawn, as `reply show` prints it.",
      ),
      takeBack: flag("--take-back", "Take back what waits to be sent, and leave what is public."),
    },
    question: async (_, { takeBack }) =>
      takeBack ? "Take back what waits to be sent?" : "Withdraw the public answer?",
    async run(context, { review: id, workspace: workspaceId, ...values }) {
      const request = { workspaceId, id, values };
      const { result } = await operate(context, withdrawReply, request);
      return { value: toReplyView(result) };
    },
  }),
  command({
    name: "reply outcomes",
    description:
      "Show how many reviews gained or lost stars after an answer, and without one, in the last 28 days or those given.",
    options: {
      workspace,
      from: optional("--from <day>", "The first UTC day."),
      to: optional("--to <day>", "The last UTC day."),
    },
    async run({ clock, database }, { workspace: workspaceId, from, to }) {
      const days = {
        from: from && parseField(daySchema, { field: "from", value: from }),
        to: to && parseField(daySchema, { field: "to", value: to }),
      };
      return { value: await readOutcomes(database, { workspaceId, ...days, now: clock.now() }) };
    },
  }),
  command({
    name: "template list",
    description: "List a workspace's templates of answers.",
    options: { workspace },
    async run({ database }, { workspace: workspaceId }) {
      const value = await database.with(statements).listTemplates({ workspaceId });
      return { value, columns: ["id", "name", "text", "isTone"] };
    },
  }),
  command({
    name: "template create",
    description: "Create a template of answers, with the fields {author}, {app} and {version}.",
    args: { name: required("<name>", "Its name.") },
    options: {
      workspace,
      text: required("--text <text>", "The text."),
      tone: flag("--tone", "It tells a language model how drafts sound."),
    },
    async run(context, { workspace: workspaceId, tone: isTone, ...template }) {
      const values = { ...template, isTone };
      const { result: value } = await operate(context, createTemplate, { workspaceId, values });
      return { value };
    },
  }),
  command({
    name: "template update",
    description: "Change the text of a template.",
    args: { template },
    options: { workspace, text: required("--text <text>", "The text.") },
    async run(context, { template: id, workspace: workspaceId, ...values }) {
      const { result: value } = await operate(context, changeTemplate, { workspaceId, id, values });
      return { value };
    },
  }),
  command({
    name: "template remove",
    description: "Remove a template of answers.",
    args: { template },
    options: { workspace },
    question: async () => "Remove the template?",
    async run(context, { template: id, workspace: workspaceId }) {
      const { result: value } = await operate(context, removeTemplate, { workspaceId, id });
      return { value };
    },
  }),
];
