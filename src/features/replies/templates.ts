// Templates of a workspace's answers: texts with fields, and tones for drafts of a language model.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { failField } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import {
  action,
  creation,
  defineNoun,
  type OperationContext,
  readSaved,
} from "../../operations/operation.ts";
import { type ReplyTemplate, templateChangeSchema, templateSchema, templatesMax } from "./reply.ts";
import * as statements from "./sql.ts";

export const templateNoun = defineNoun<ReplyTemplate>({
  noun: "template",
  plural: "templates",
  path: "reply-templates",
  find: (database, place) => database.with(statements).findTemplate(place),
  list: (database, workspaceId) => database.with(statements).listTemplates({ workspaceId }),
  toView: ({ id, name, text, isTone }) => ({ id, name, text, isTone }),
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the template."),
      name: z.string().describe("Its name."),
      text: z.string().describe("The text, with the fields {author}, {app} and {version}."),
      isTone: z.boolean().describe("Whether it tells a language model how answers sound."),
    })
    .meta({ id: "ReplyTemplate" }),
});

const traits = {
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 30, by: "workspace" }],
} as const;

export const createTemplate = creation(templateNoun, {
  ...traits,
  verb: "create",
  summary: "Create a template of answers",
  description: "Its fields are filled in before an answer is sent.",
  audit: "template.created",
  schema: templateSchema,
  async run(context, { input }) {
    const { tx, workspaceId, now } = context;
    context.finally("count of templates", async () => {
      if ((await tx.with(statements).listTemplates({ workspaceId })).length > templatesMax)
        throw new AppError("conflict", `a workspace has at most ${templatesMax} templates`);
    });
    const id = uuidV7(now);
    const result = await save(context, { id, workspaceId, ...input });
    return { result, id, detail: { name: result.name } };
  },
});

export const changeTemplate = action(templateNoun, {
  ...traits,
  verb: "change",
  summary: "Change a template of answers",
  description: "Fields that are left out stay as they are.",
  audit: "template.updated",
  schema: templateChangeSchema,
  async run(context, { before, input }) {
    const { name = before.name, text = before.text, isTone = before.isTone } = input;
    const { id, workspaceId } = before;
    const result = await save(context, { id, workspaceId, name, text, isTone });
    return { result, detail: {} };
  },
});

export const removeTemplate = action(templateNoun, {
  role: "member",
  scope: "manage",
  verb: "delete",
  summary: "Delete a template of answers",
  description: "Answers that were written with it stay as they are.",
  audit: "template.removed",
  async run({ tx }, { before }) {
    await tx.with(statements).deleteTemplate(before);
    return { result: before, detail: {} };
  },
});

async function save(
  { tx, now }: OperationContext,
  template: Omit<ReplyTemplate, "version">,
): Promise<ReplyTemplate> {
  if (!(await tx.with(statements).saveTemplate({ ...template, now })))
    failField("name", "there is a template of this name");
  return readSaved(templateNoun, tx, template);
}
