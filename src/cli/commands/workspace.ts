// starpost workspace: who owns apps, keys and channels.
import { createWorkspace, setWorkspacePlan } from "../../use-cases/members/workspaces.ts";
import { type Command, command } from "../command.ts";
import { optional, required } from "../option.ts";

const columns = ["id", "name", "plan", "createdAt"];

export const workspaceCommands: Command[] = [
  command({
    name: "workspace create",
    about: "Make a workspace.",
    args: {},
    options: {
      name: required("--name <name>", "How people know it."),
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
    about: "List all workspaces.",
    args: {},
    options: {},
    async run(shell) {
      const { database } = await shell.context();
      return { value: await database.listWorkspaces(), columns };
    },
  }),
  command({
    name: "workspace set-plan",
    about: "Change the plan of a workspace; it counts from the next request on.",
    args: {
      id: required("<id>", "The workspace."),
      plan: required("<plan>", "studio or starter."),
    },
    options: {},
    async run(shell, given) {
      const { database } = await shell.context();
      return { value: await setWorkspacePlan(database, given) };
    },
  }),
];
