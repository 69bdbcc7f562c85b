// starpost key: who may call the API for a workspace.
import { keyScopes } from "../../domain/people/workspace.ts";
import { omit } from "../../lib/pick.ts";
import { createKey, revokeKey } from "../../operations/key.ts";
import { requireScope } from "../../use-cases/workspaces/workspaces.ts";
import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import {
  number,
  optional,
  reference,
  required,
  workspaceFilter,
  workspaceOption,
} from "../option.ts";

const columns = "name scope prefix createdAt endsAt lastUsedAt lastUsedAddress revokedAt id".split(
  " ",
);

export const commands: Command[] = [
  command({
    name: "key create",
    description: "Create an API key. It is shown this once.",
    options: {
      workspace: workspaceOption("The workspace whose data it reads."),
      name: required("--name <name>", "The purpose of the key."),
      scope: {
        ...optional(
          "--scope <scope>",
          "read (by default), manage (reads, and changes the set-up) or mcp (the tools of /mcp alone).",
        ),
        values: keyScopes,
      },
      days: number("--days <count>", "After how many days it ends; never by default."),
    },
    async run(context, { workspace, name, scope, days }) {
      const request = { workspaceId: workspace, values: { name, scope, days } };
      const { result, secret } = await operate(context, createKey, request);
      const made = omit(result, ["lastUsedAt", "lastUsedAddress", "revokedAt", "version"]);
      return { value: { ...made, key: secret } };
    },
  }),
  command({
    name: "key list",
    description: "List API keys by their first characters.",
    options: { workspace: workspaceFilter() },
    async run({ database }, { workspace }) {
      const scope = await requireScope(database, workspace ?? null);
      return { value: await database.listApiKeys(scope), columns };
    },
  }),
  command({
    name: "key revoke",
    description: "Revoke an API key for good, at once.",
    args: { id: reference("key", { flags: "<key>", description: "Its id or name." }) },
    question: async () => "Revoke the key? Its requests are refused from now on.",
    async run(context, { id }) {
      const { result } = await operate(context, revokeKey, { id });
      return { value: omit(result, ["version"]) };
    },
  }),
];
