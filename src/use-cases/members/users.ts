// Accounts of people: made for a workspace, given a new password, renamed, deleted. Who forgot a
// password asks the operator: no mail is sent from here.
import { randomBytes } from "node:crypto";
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { type MemberRole, memberRoles, type User } from "../../domain/user.ts";
import { failField, failFields, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { hashPassword } from "./password-hash.ts";
import { checkPassword, type UserInput, parseEmail, parseUserInput } from "./user-input.ts";
import { requireWorkspace } from "./workspaces.ts";

type Rooms = {
  clock: Clock;
  database: Pick<Database, "findUserByEmail" | "findWorkspace" | "listMembers" | "transaction">;
  actor: string;
};

export type CreatedUser = {
  id: string;
  email: string;
  workspaceId: string;
  role: MemberRole;
  /** Only when it was made up here: it is shown this once. */
  password?: string;
};

/**
 * Makes an account and puts it into a workspace; whoever has an account is only put there. Without a
 * password one is made up; without a role the first of a workspace is its owner.
 */
export async function createUser(
  deps: Rooms,
  given: {
    email: string;
    name: string | null;
    password: string | null;
    workspaceId: string;
    role: string | null;
  },
): Promise<CreatedUser> {
  const { email, faults } = parseEmail(given.email);
  failFields(faults);
  const { id: workspaceId } = await requireWorkspace(deps.database, {
    field: "workspace",
    id: given.workspaceId,
  });
  const role = await chooseRole(deps, { workspaceId, stated: given.role });
  const known = await deps.database.findUserByEmail(email);
  if (known && given.password !== null) {
    throw new AppError("conflict", `${email} has an account and a password already`);
  }
  const password = given.password ?? randomBytes(15).toString("base64url");
  const person = known ? null : parseUserInput({ email, name: given.name ?? nameFromEmail(email), password });
  const passwordHash = person && (await hashPassword(person.password));
  const userId = await deps.database.transaction(async (tx) => {
    const user =
      person && passwordHash ? await insertUser(deps, tx, { person, passwordHash }) : known;
    if (!user) throw notFound("user", email);
    await addMember(deps, tx, { workspaceId, userId: user.id, role });
    return user.id;
  });
  const created = { id: userId, email, workspaceId, role };
  return known || given.password !== null ? created : { ...created, password };
}

/** Hash outside, insert inside: no transaction waits for a slow hash. */
export async function insertUser(
  deps: { clock: Clock },
  tx: Pick<DatabaseTransaction, "insertUser">,
  given: { person: UserInput; passwordHash: string },
): Promise<Pick<User, "id">> {
  const { person, passwordHash } = given;
  const createdAt = deps.clock.now();
  const id = uuidV7(createdAt);
  const { email, name } = person;
  if (!(await tx.insertUser({ id, email, name, passwordHash, createdAt }))) {
    throw new AppError("conflict", "this e-mail address has an account already: sign in with it", {
      fields: [{ field: "email", message: "has an account already" }],
    });
  }
  return { id };
}

export async function addMember(
  deps: { clock: Clock; actor: string },
  tx: Pick<DatabaseTransaction, "insertMember" | "setUserWorkspace" | "insertAuditEntry">,
  joined: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  const { workspaceId, userId, role } = joined;
  if (!(await tx.insertMember({ ...joined, joinedAt: deps.clock.now() }))) {
    throw new AppError("conflict", "this person is in the workspace already");
  }
  await tx.setUserWorkspace({ id: userId, workspaceId });
  const act = { action: "member.added", subject: userId, workspaceId, detail: { role } };
  await recordAudit(deps, tx, act);
}

/** Ends every session of the person. */
export async function setPassword(
  deps: { database: Pick<Database, "findUserByEmail" | "transaction"> },
  given: { email: string; password: string | null },
): Promise<{ id: string; email: string; password?: string }> {
  const { email, faults } = parseEmail(given.email);
  failFields(faults);
  const user = await deps.database.findUserByEmail(email);
  if (!user) throw notFound("user", email);
  const password = given.password ?? randomBytes(15).toString("base64url");
  failFields(checkPassword("password", { password, email, name: user.name }));
  const passwordHash = await hashPassword(password);
  await deps.database.transaction(async (tx) => {
    await tx.setPasswordHash({ id: user.id, passwordHash });
    await tx.endSessions({ userId: user.id, exceptId: null });
  });
  return given.password === null ? { id: user.id, email, password } : { id: user.id, email };
}

/** What they made stays; their sessions and invitations go. */
export async function deleteUser(
  deps: { database: Pick<Database, "findUserByEmail" | "deleteUser"> },
  given: { email: string },
): Promise<{ id: string; email: string }> {
  const { email } = parseEmail(given.email);
  const user = await deps.database.findUserByEmail(email);
  if (!user) throw notFound("user", email);
  await deps.database.deleteUser(user.id);
  return { id: user.id, email };
}

async function chooseRole(
  deps: Pick<Rooms, "database">,
  chosen: { workspaceId: string; stated: string | null },
): Promise<MemberRole> {
  if (chosen.stated !== null) return parseRole(chosen.stated);
  const members = await deps.database.listMembers(chosen.workspaceId);
  return members.length === 0 ? "owner" : "member";
}

export function parseRole(stated: string): MemberRole {
  const role = memberRoles.find((known) => known === stated);
  return role ?? failField("role", `must be one of ${memberRoles.join(", ")}`);
}

/** Until the person says otherwise. */
export function nameFromEmail(email: string): string {
  return email.split("@")[0] || email;
}
