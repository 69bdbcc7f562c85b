// Users. The password is stored as a hash, e-mail addresses in lower case.
import type { NewUser, User } from "../../domain/user.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

const columns = `id, email, name, created_at as "createdAt", workspace_id as "workspaceId"`;

/** False when the address has an account already. */
export async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const count = await execute(
    db,
    "insertUser",
    `insert into users (id, email, name, password_hash, created_at, workspace_id)
     values ($1, $2, $3, $4, $5, null) on conflict (email) do nothing`,
    [user.id, user.email, user.name, user.passwordHash, user.createdAt],
  );
  return count === 1;
}

export function findUser(db: Db, id: string): Promise<User | null> {
  return queryFirstRow(db, "findUser", `select ${columns} from users where id = $1`, [id]);
}

export function findUserByEmail(
  db: Db,
  email: string,
): Promise<(User & { passwordHash: string }) | null> {
  return queryFirstRow(
    db,
    "findUserByEmail",
    `select ${columns}, password_hash as "passwordHash" from users where email = $1`,
    [email],
  );
}

/** For the operator alone. */
export function listUsers(db: Db): Promise<(User & { hasSecondFactor: boolean })[]> {
  return queryRows(
    db,
    "listUsers",
    `select ${columns}, exists (
       select from second_factors f where f.id = users.id and f.confirmed_at is not null
     ) as "hasSecondFactor" from users order by id`,
  );
}

export async function hasUsers(db: Db): Promise<boolean> {
  const found = await queryFirstRow<{ any: boolean }>(
    db,
    "hasUsers",
    "select exists (select from users) as any",
  );
  return found?.any === true;
}

export async function setUserName(db: Db, change: { id: string; name: string }): Promise<void> {
  await queryRows(db, "setUserName", "update users set name = $2 where id = $1", [
    change.id,
    change.name,
  ]);
}

export async function setPasswordHash(
  db: Db,
  change: { id: string; passwordHash: string },
): Promise<void> {
  await queryRows(db, "setPasswordHash", "update users set password_hash = $2 where id = $1", [
    change.id,
    change.passwordHash,
  ]);
}

/** Other changes of the password, and sessions that begin, wait until the transaction ends. null without the user. */
export async function lockPasswordHash(db: Db, userId: string): Promise<string | null> {
  const text = `select password_hash as "passwordHash" from users where id = $1 for update`;
  const found = await queryFirstRow<{ passwordHash: string }>(db, "lockPasswordHash", text, [
    userId,
  ]);
  return found?.passwordHash ?? null;
}

/** The workspace that the dashboard shows this user from now on. */
export async function setUserWorkspace(
  db: Db,
  change: { id: string; workspaceId: string },
): Promise<void> {
  await queryRows(db, "setUserWorkspace", "update users set workspace_id = $2 where id = $1", [
    change.id,
    change.workspaceId,
  ]);
}

export async function deleteUser(db: Db, id: string): Promise<boolean> {
  const count = await execute(db, "deleteUser", "delete from users where id = $1", [id]);
  return count === 1;
}
