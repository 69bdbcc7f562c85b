// starpost audit: who did what.
import { requireScope } from "../../use-cases/workspaces/workspaces.ts";
import { type Command, command } from "../command.ts";
import { number, optional, requireWhole } from "../option.ts";

const limitDefault = 50;
const limitMax = 10_000;

export const commands: Command[] = [
  command({
    name: "audit list",
    description: "List what users, programs and Starpost itself (system) did, newest first.",
    options: {
      workspace: optional("--workspace <id>", "Only this workspace's."),
      limit: number("--limit <count>", `At most so many; ${limitDefault} unless given.`),
    },
    async run({ database }, values) {
      const value = values.limit ?? limitDefault;
      const limit = requireWhole("limit", { value, min: 1, max: limitMax });
      const { workspaceId } = await requireScope(database, values.workspace ?? null);
      return {
        value: await database.listRecentAuditEntries({ workspaceId, limit }),
        columns: ["at", "actor", "action", "detail", "subject"],
      };
    },
  }),
];
