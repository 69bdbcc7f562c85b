// Roles of PostgreSQL that read one workspace by the views of starpost_v1. A role belongs to the whole server and survives
// the database; its row in sql_users is what shows it a workspace.
import pg from "pg";
import sql, { raw } from "sql-template-tag";
import { isDistributed } from "../../database/cluster/coordinator.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../../database/query.ts";
import { AppError } from "../../domain/error.ts";
import { errorCode } from "../../lib/errors.ts";
import type { SqlUser } from "./sql-user.ts";

const columns = sql`u.id, u.workspace_id as "workspaceId", u.name, u.role, u.created_at as "createdAt"`;

export function listSqlUsers(db: Db, scope: { workspaceId: string | null }): Promise<SqlUser[]> {
  return queryRows(db, "listSqlUsers")`select ${columns} from sql_users u
    where ${scope.workspaceId}::uuid is null or u.workspace_id = ${scope.workspaceId} order by u.id`;
}

export function findSqlUser(db: Db, id: string): Promise<SqlUser | null> {
  return queryFirstRow(db, "findSqlUser")`select ${columns} from sql_users u where u.id = ${id}`;
}

/** A reader can set others: they protect the service from a careless query, not from a hostile reader. */
const defaults = {
  default_transaction_read_only: "on",
  statement_timeout: "60s",
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "60s",
  idle_session_timeout: "1h",
  // A query ends soon after its client is gone.
  client_connection_check_interval: "10s",
  search_path: "starpost_v1",
};
const connectionsMax = 10;
/** A reader can't change it. Only a superuser, or whom one permits it, can set it. */
const temporaryFilesMax = "2GB";

/**
 * In a transaction.
 *
 * @param user.verifier of the password (SCRAM): the password itself is in no statement
 * @returns the name of the database
 * @throws AppError `conflict` on a Citus, or when the service may not create roles
 */
export async function insertSqlUser(
  db: Db,
  user: SqlUser & { verifier: string },
): Promise<{ database: string }> {
  if (await isDistributed(db)) {
    throw new AppError("conflict", "a database that is spread over servers has no SQL users");
  }
  const found = await queryFirstRow(db, "findSqlOwner")<{
    owner: string;
    database: string;
    mayCreate: boolean;
  }>`
    select current_user as owner, current_database() as database,
      rolcreaterole or rolsuper as "mayCreate"
    from pg_roles where rolname = current_user`;
  const { owner = "", database = "", mayCreate = false } = found ?? {};
  if (!mayCreate) throw mayNotCreate(owner);
  const { id, workspaceId, name, role, createdAt, verifier } = user;
  await queryRows(db, "insertSqlUser")`insert into sql_users (id, workspace_id, name, role,
      created_at) values (${id}, ${workspaceId}, ${name}, ${role}, ${createdAt})`;
  try {
    await createRole(db, { role, verifier, group: groupOf(owner), database });
  } catch (error) {
    if (errorCode(error) === "42501") throw mayNotCreate(owner, error);
    throw error;
  }
  return { database };
}

function mayNotCreate(owner: string, cause?: unknown): AppError {
  const remedy = `alter role ${quote(owner)} createrole`;
  const message = `the database user ${owner} may not create roles; a superuser permits it by: ${remedy}`;
  return new AppError("conflict", message, { cause });
}

/** The group of all SQL users: one for each owner of a database on the server. */
function groupOf(owner: string): string {
  return `${owner.slice(0, 50)}_sql`;
}

async function createRole(
  db: Db,
  create: { role: string; verifier: string; group: string; database: string },
): Promise<void> {
  const [role, group, database] = [create.role, create.group, create.database].map(quote);
  const { rows } = await db.query("select from pg_roles where rolname = $1", [create.group]);
  const { rows: limits } = await db.query(
    "select where has_parameter_privilege(current_user, 'temp_file_limit', 'set')",
  );
  const secret = pg.escapeLiteral(create.verifier);
  const statements = [
    ...(rows.length === 0 ? [`create role ${group} nologin`] : []),
    `grant usage on schema starpost_v1 to ${group}`,
    `grant select on all tables in schema starpost_v1 to ${group}`,
    // Everybody may create temporary tables unless it is taken from them.
    `revoke temporary on database ${database} from public`,
    `create role ${role} login password ${secret} connection limit ${connectionsMax} in role ${group}`,
    ...Object.entries({
      ...defaults,
      ...(limits.length > 0 && { temp_file_limit: temporaryFilesMax }),
    }).map(([name, value]) => `alter role ${role} set ${name} = ${pg.escapeLiteral(value)}`),
  ];
  for (const text of statements) await queryRows(db, "")(raw(text));
}

/** In a transaction; open sessions of the role end, and its name is free. False without such a user. */
export async function deleteSqlUser(db: Db, id: string): Promise<boolean> {
  const user = await findSqlUser(db, id);
  if (!user) return false;
  await execute(db, "deleteSqlUser")`delete from sql_users where id = ${id}`;
  const { rows } = await db.query("select from pg_roles where rolname = $1", [user.role]);
  // A backup that was restored elsewhere has the row alone.
  if (rows.length === 0) return true;
  const role = quote(user.role);
  for (const text of [
    `alter role ${role} nologin`,
    // Only those who have the role may end its sessions.
    `grant ${role} to current_user`,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = ${pg.escapeLiteral(user.role)}`,
    `drop owned by ${role}`,
    `drop role ${role}`,
  ]) {
    await queryRows(db, "")(raw(text));
  }
  return true;
}

function quote(name: string): string {
  return pg.escapeIdentifier(name);
}
