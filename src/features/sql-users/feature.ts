// SQL users: roles of PostgreSQL that read one workspace by the views of starpost_v1.
import type { Feature } from "../feature.ts";
import { createSqlUser, removeSqlUser } from "./operations.ts";
import * as statements from "./sql.ts";

export const sqlUsers: Feature = {
  name: "sql-users",
  nouns: [{ noun: createSqlUser.noun, operations: [createSqlUser, removeSqlUser] }],
  ending: {
    async withWorkspace(tx, scope) {
      const { deleteSqlUser, listSqlUsers } = tx.with(statements);
      for (const { id } of await listSqlUsers(scope)) await deleteSqlUser(id);
    },
  },
  listReaders: async (database, scope) =>
    (await database.with(statements).listSqlUsers(scope)).map(({ id, name, role, createdAt }) => ({
      ...{ kind: "sql", id, name, madeBy: null, madeAt: createdAt, usedAt: null, endsAt: null },
      destination: `Programs with the SQL role ${role}`,
    })),
};
