// SQL users: created with a password that is shown once, and removed with their open sessions.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { nameSchema } from "../../domain/fields.ts";
import type { SqlUser } from "../../domain/sql-user.ts";
import { assertId, notFound, parseField } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { requireWorkspace } from "../workspaces/workspaces.ts";

/** The password is shown this once. */
export type CreatedSqlUser = SqlUser & { password: string; database: string };

/** @throws AppError `invalid_input`, `not_found` without such a workspace, `conflict` where there can't be any */
export async function createSqlUser(
  deps: ActDeps<"findWorkspace">,
  input: { workspaceId: string; name: string },
): Promise<CreatedSqlUser> {
  const name = parseField(nameSchema(), { field: "name", value: input.name });
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const createdAt = deps.clock.now();
  const id = uuidV7(createdAt);
  const role = `starpost_${id.replaceAll("-", "").slice(-16)}`;
  const user = { id, workspaceId, name, role, createdAt };
  const password = randomBytes(24).toString("base64url");
  const { database } = await deps.database.transaction(async (tx) => {
    await recordAudit(deps, tx, "sql_user.created", user, { name, role });
    return tx.insertSqlUser({ ...user, verifier: toVerifier(password) });
  });
  return { ...user, password, database };
}

/** @throws AppError `invalid_input` or `not_found` */
export async function removeSqlUser(deps: ActDeps, { id }: { id: string }): Promise<SqlUser> {
  assertId("id", id);
  return deps.database.transaction(async (tx) => {
    const user = await tx.findSqlUser(id);
    if (!user || !(await tx.deleteSqlUser(id))) throw notFound("SQL user", id);
    await recordAudit(deps, tx, "sql_user.removed", user, { name: user.name, role: user.role });
    return user;
  });
}

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
