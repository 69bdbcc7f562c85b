// starpost workspace: who owns apps, keys and channels.
import { createWorkspace, setWorkspacePlan } from "../../use-cases/members/workspaces.ts";
import { type Command, command } from "../command.ts";
import { optional, reference, required } from "../option.ts";

const columns = ["id", "name", "plan", "createdAt"];

export const workspaceCommands: Command[] = [
  command({
    name: "workspace create",
    description: "Create a workspace.",
    args: {},
    options: {
      name: required("--name <name>", "Its name for people."),
      plan: optional("--plan <plan>", "studio or starter; DEFAULT_PLAN unless given."),
    },
    async run(shell, { name, plan }) {
      const context = await shell.context();
      return {
        value: await createWorkspace(context, { name, plan: plan ?? context.defaultPlan }),
      };
    },
  }),
  command({
    name: "workspace list",
    description: "List all workspaces.",
    args: {},
    options: {},
    async run(shell) {
      const { database } = await shell.context();
      return { value: await database.listWorkspaces(), columns };
    },
  }),
  command({
    name: "workspace set-plan",
    description: "Change the plan of a workspace; it takes effect with the next request.",
    args: {
      id: reference("workspace", { flags: "<workspace>", description: "Its id or name." }),
      plan: required("<plan>", "studio or starter."),
    },
    options: {},
    async run(shell, values) {
      const { database } = await shell.context();
      return { value: await setWorkspacePlan(database, values) };
    },
  }),
];
