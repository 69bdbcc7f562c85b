// starpost sql-user: roles of PostgreSQL that read one workspace by the SQL views.

import { type Command, command } from "../../cli/command.ts";
import { operate } from "../../cli/operate.ts";
import { required, workspaceFilter, workspaceOption } from "../../cli/option.ts";
import { type Config, urlHost } from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";
import { requireScope } from "../../use-cases/workspaces/workspaces.ts";
import { type CreatedSqlUser, createSqlUser, removeSqlUser } from "./operations.ts";
import * as statements from "./sql.ts";

export const commands: Command[] = [
  command({
    name: "sql-user create",
    description: "Create a role of PostgreSQL for one workspace. Its password is shown this once.",
    options: {
      workspace: workspaceOption("The workspace whose data it reads."),
      name: required("--name <name>", "The purpose of the user."),
    },
    async run(context, { workspace, name }) {
      const { config } = context;
      if (config.databaseUrl === null && config.embeddedSqlPort === null) {
        const message = "the embedded database has no port: set EMBEDDED_SQL_PORT and start again";
        throw new AppError("conflict", message);
      }
      const request = { workspaceId: workspace, values: { name } };
      const { result: user } = await operate(context, createSqlUser, request);
      return { value: { ...user, url: urlOf(config, user) } };
    },
  }),
  command({
    name: "sql-user list",
    description: "List the roles of PostgreSQL that read workspaces.",
    options: { workspace: workspaceFilter() },
    async run({ database }, { workspace }) {
      const scope = await requireScope(database, workspace ?? null);
      return {
        value: await database.with(statements).listSqlUsers(scope),
        columns: ["name", "role", "createdAt", "id"],
      };
    },
  }),
  command({
    name: "sql-user remove",
    description: "Remove a role for good; its open sessions end.",
    args: { id: required("<id>", "Its id.") },
    question: async () => "Remove the SQL user? What reads with it is refused from now on.",
    async run(context, { id }) {
      return { value: (await operate(context, removeSqlUser, { id })).result };
    },
  }),
];

/** The address of the database itself, as the service knows it. */
function urlOf(
  { databaseUrl, databaseListenUrl, embeddedSqlHost, embeddedSqlPort }: Config,
  { role, password, database }: CreatedSqlUser,
): string {
  const user = `${role}:${password}@`;
  // A pooler doesn't know the new role.
  const direct = databaseListenUrl ?? databaseUrl;
  // The driver takes the service's own sign-in from the query as well.
  if (direct)
    return direct
      .replace(/(?<=[?&])(user|password)=[^&]*(&|$)/g, "")
      .replace(/[?&]$/, "")
      .replace(/\/\/(?:[^@/]*@)?/, `//${user}`);
  return `postgresql://${user}${urlHost(embeddedSqlHost)}:${embeddedSqlPort}/${database}`;
}
