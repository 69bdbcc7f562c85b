// starpost workspace: who owns apps, keys and channels.
import { plans } from "../../domain/people/workspace.ts";
import { omit, pick } from "../../lib/pick.ts";
import { createWorkspace, removeWorkspace, setPlan } from "../../operations/workspace.ts";
import { deleteRemovedListings } from "../../use-cases/apps/removed-listings.ts";
import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import { optional, reference, required } from "../option.ts";

const columns = ["name", "plan", "createdAt", "id"];

export const commands: Command[] = [
  command({
    name: "workspace create",
    description: "Create a workspace.",
    options: {
      name: required("--name <name>", "Its name for people."),
      plan: {
        ...optional("--plan <plan>", "studio or starter; DEFAULT_PLAN unless given."),
        values: plans,
      },
    },
    async run(context, { name, plan }) {
      const values = { name, plan: plan ?? context.defaultPlan };
      return {
        value: omit((await operate(context, createWorkspace, { values })).result, ["workspaceId"]),
      };
    },
  }),
  command({
    name: "workspace list",
    description: "List all workspaces.",
    async run({ database }) {
      return { value: await database.listWorkspaces(), columns };
    },
  }),
  command({
    name: "workspace delete",
    description:
      "Delete a workspace with its channels, keys, apps and what only it follows; accounts stay.",
    question: async ({ database }, { id }) => {
      const name = (await database.findWorkspace(id))?.name ?? id;
      return `Delete the workspace ${name} with everything in it?`;
    },
    args: {
      id: reference("workspace", { flags: "<workspace>", description: "Its id or name." }),
    },
    async run(context, { id }) {
      const { result } = await operate(context, removeWorkspace, { id });
      await deleteRemovedListings(context.database);
      return { value: pick(result, ["id", "name", "channelCount", "appCount"]) };
    },
  }),
  command({
    name: "workspace set-plan",
    description: "Change the plan of a workspace; it takes effect with the next request.",
    args: {
      id: reference("workspace", { flags: "<workspace>", description: "Its id or name." }),
      plan: required("<plan>", "studio or starter."),
    },
    async run(context, { id, plan }) {
      return {
        value: omit((await operate(context, setPlan, { id, values: { plan } })).result, [
          "workspaceId",
        ]),
      };
    },
  }),
];
