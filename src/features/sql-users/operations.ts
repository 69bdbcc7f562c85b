// SQL users: created with a password that is shown once, and removed with their open sessions.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { z } from "zod";
import { nameSchema } from "../../domain/fields.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { action, creation, defineNoun, type Resource } from "../../operations/operation.ts";

import * as statements from "./sql.ts";
import type { SqlUser } from "./sql-user.ts";

const sqlUserNoun = defineNoun<SqlUser & Resource>({
  noun: "SQL user",
  plural: "SQL users",
  path: "sql-users",
  async find(database, { id, workspaceId }) {
    const user = await database.with(statements).findSqlUser(id);
    const isForeign = workspaceId !== null && workspaceId !== user?.workspaceId;
    return user && !isForeign ? { ...user, version: 0 } : null;
  },
  list: async (database, workspaceId) =>
    (await database.with(statements).listSqlUsers({ workspaceId })).map((user) => ({
      ...user,
      version: 0,
    })),
  toView: ({ id, name, role }) => ({ id, name, role }),
  viewSchema: null,
});

const traits = { role: null } as const;

/** The password is shown this once. */
export type CreatedSqlUser = SqlUser & { password: string; database: string };

export const createSqlUser = creation(sqlUserNoun, {
  ...traits,
  verb: "create",
  summary: "Create a role of PostgreSQL that reads a workspace",
  audit: "sql_user.created",
  schema: z.strictObject({ name: nameSchema() }),
  async run({ tx, workspaceId, now }, { input: { name } }) {
    const id = uuidV7(now);
    const role = `starpost_${id.replaceAll("-", "").slice(-16)}`;
    const user = { id, workspaceId, name, role, createdAt: now };
    const password = randomBytes(24).toString("base64url");
    const { database } = await tx
      .with(statements)
      .insertSqlUser({ ...user, verifier: toVerifier(password) });
    const result: CreatedSqlUser = { ...user, password, database };
    return { result, id, detail: { name, role } };
  },
});

export const removeSqlUser = action(sqlUserNoun, {
  ...traits,
  verb: "delete",
  summary: "Remove a role of PostgreSQL, whose sessions end",
  audit: "sql_user.removed",
  async run({ tx }, { before }) {
    const { id, workspaceId, name, role, createdAt } = before;
    if (!(await tx.with(statements).deleteSqlUser(id))) throw notFound("SQL user", id);
    const result: SqlUser = { id, workspaceId, name, role, createdAt };
    return { result, detail: { role } };
  },
});

// PostgreSQL's own number.
const iterationCount = 4_096;

/** A password as PostgreSQL stores it (RFC 5803, SCRAM-SHA-256), so that its log never has the password. */
function toVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterationCount, 32, "sha256");
  const sign = (text: string): Buffer => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(sign("Client Key")).digest("base64");
  const keys = `${stored}:${sign("Server Key").toString("base64")}`;
  return `SCRAM-SHA-256$${iterationCount}:${salt.toString("base64")}$${keys}`;
}
