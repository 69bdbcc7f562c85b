// starpost workspace: who owns apps, keys and channels.
import { plans, type Workspace } from "../../domain/workspace.ts";
import { deleteWorkspace } from "../../operations/delete-workspace.ts";
import { recordAudit } from "../../use-cases/audit.ts";
import { createWorkspace, setWorkspacePlan } from "../../use-cases/workspaces/workspaces.ts";
import { type Command, command } from "../command.ts";
import type { CliContext } from "../context.ts";
import { operator, toOperationDeps } from "../operate.ts";
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
      const workspace = await createWorkspace(context, { name, plan: plan ?? context.defaultPlan });
      await recordWorkspace(context, "workspace.created", workspace);
      return { value: workspace };
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
      const deleted = await deleteWorkspace(toOperationDeps(context), { id, actor: operator });
      return { value: deleted };
    },
  }),
  command({
    name: "workspace set-plan",
    description: "Change the plan of a workspace; it takes effect with the next request.",
    args: {
      id: reference("workspace", { flags: "<workspace>", description: "Its id or name." }),
      plan: required("<plan>", "studio or starter."),
    },
    async run(context, values) {
      const workspace = await setWorkspacePlan(context.database, values);
      await recordWorkspace(context, "workspace.plan_changed", workspace);
      return { value: workspace };
    },
  }),
];

function recordWorkspace(
  context: CliContext,
  action: string,
  { id, name, plan }: Workspace,
): Promise<void> {
  return recordAudit(context, context.database, action, { id, workspaceId: id }, { name, plan });
}
