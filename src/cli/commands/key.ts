// starpost key: who may call the read API for a workspace.
import { createKey, revokeKey } from "../../use-cases/keys/keys.ts";
import { requireScope } from "../../use-cases/members/workspaces.ts";
import { type Command, command } from "../command.ts";
import { optional, required } from "../option.ts";

const columns = ["id", "workspaceId", "name", "prefix", "createdAt", "lastUsedAt", "revokedAt"];

export const keyCommands: Command[] = [
  command({
    name: "key create",
    description: "Create an API key. It is shown this once.",
    args: {},
    options: {
      workspace: required("--workspace <id>", "The workspace whose data it reads."),
      name: required("--name <name>", "What it is for."),
    },
    async run(shell, { workspace, name }) {
      const context = await shell.context();
      return { value: await createKey(context, { workspaceId: workspace, name }) };
    },
  }),
  command({
    name: "key list",
    description: "List API keys by their first characters.",
    args: {},
    options: { workspace: optional("--workspace <id>", "Only this workspace's.") },
    async run(shell, { workspace }) {
      const { database } = await shell.context();
      const scope = await requireScope(database, workspace ?? null);
      return { value: await database.listApiKeys(scope), columns };
    },
  }),
  command({
    name: "key revoke",
    description: "Revoke an API key for good, at once.",
    args: { id: required("<id>", "The key.") },
    options: {},
    async run(shell, { id }) {
      return { value: await revokeKey(await shell.context(), { id, workspaceId: null }) };
    },
  }),
];
