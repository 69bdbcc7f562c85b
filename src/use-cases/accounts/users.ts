// User accounts: created for a workspace, given a new password, deleted. Users who forgot their password
// get a link by e-mail (password-reset.ts), or ask the operator.
import { randomBytes } from "node:crypto";
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { oneOfSchema } from "../../domain/fields.ts";
import { type MemberRole, memberRoles, type NewUser, type User } from "../../domain/people/user.ts";
import {
  emailSchema,
  normalizeEmail,
  parseUserInput,
  passwordSchema,
} from "../../domain/people/user-input.ts";
import { notFound, parseField } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type ActDeps, type Actor, recordAudit } from "../audit.ts";
import { assertBelowLimit, type LimitedDeps } from "../workspaces/workspace-limits.ts";
import { requireWorkspace } from "../workspaces/workspaces.ts";
import { hashPassword, noPassword } from "./password-hash.ts";

/**
 * Creates an account and adds it to a workspace; an account that exists is only added. Without a
 * password one is generated, and returned this once; without a role the first member of a workspace is its owner.
 *
 * @throws AppError `invalid_input`, `not_found`, or `conflict` when the account exists with a password, or with an
 *   address that was never confirmed
 */
export async function createUser(
  deps: LimitedDeps & ActDeps<"findUserByEmail" | "findWorkspace" | "listMembers">,
  input: {
    email: string;
    name: string | null;
    password: string | null;
    workspaceId: string;
    role: string | null;
    /** Adds an existing account whose address is not confirmed. */
    acceptsUnconfirmed?: boolean;
  },
): Promise<{
  id: string;
  email: string;
  workspaceId: string;
  role: MemberRole;
  password?: string;
}> {
  const email = parseField(emailSchema, { field: "email", value: input.email });
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const role = await chooseRole(deps.database, { workspaceId, role: input.role });
  const existing = await deps.database.findUserByEmail(email);
  if (existing && input.password !== null) {
    throw new AppError("conflict", `${email} has an account and a password already`);
  }
  if (existing?.emailConfirmedAt === null && !input.acceptsUnconfirmed) {
    throw new AppError("conflict", describeUnconfirmed(existing));
  }
  const password = input.password ?? generatePassword();
  const name = input.name ?? nameFromEmail(email);
  const user = existing ?? parseUserInput({ email, name, password });
  const passwordHash = existing ? noPassword : await hashPassword(password);
  const { actor } = deps;
  const verified = { email, name: user.name, passwordHash, isConfirmed: true, actor };
  const id = await deps.database.transaction(async (tx) => {
    const userId = existing?.id ?? (await insertUser(deps, tx, verified));
    await addMember(deps, tx, { workspaceId, userId, role });
    return userId;
  });
  const created = { id, email, workspaceId, role };
  return existing || input.password !== null ? created : { ...created, password };
}

function describeUnconfirmed({ email, createdAt }: Pick<User, "email" | "createdAt">): string {
  return `${email} has had an account since ${formatTimestamp(createdAt)}, and its address is not confirmed: whoever made it may not own it. Set a new password with "starpost user set-password", or add it as it is with --accept-unconfirmed`;
}

/**
 * Takes the hash, not the password: no transaction waits for a slow hash.
 *
 * @throws AppError `conflict` when the address has an account already
 */
export async function insertUser(
  { clock }: { clock: Clock },
  tx: Pick<DatabaseTransaction, "insertUser" | "insertAuditEntry">,
  input: Pick<NewUser, "email" | "name" | "passwordHash"> & {
    /** The operator or a provider vouches for the address. */
    isConfirmed?: boolean;
    /** By default the new user, who has no session yet. */
    actor?: string;
  },
): Promise<string> {
  const { email, name, passwordHash } = input;
  const createdAt = clock.now();
  const id = uuidV7(createdAt);
  const emailConfirmedAt = input.isConfirmed ? createdAt : null;
  if (!(await tx.insertUser({ id, email, name, passwordHash, createdAt, emailConfirmedAt }))) {
    throw new AppError("conflict", "this e-mail address has an account already: sign in with it", {
      fields: [{ field: "email", message: "has an account already" }],
    });
  }
  await recordAudit({ clock, actor: input.actor ?? id }, tx, "user.created", id, { email });
  return id;
}

/** @throws AppError `conflict` when the user is a member already, or the workspace has as many as it may have */
export async function addMember(
  deps: LimitedDeps & { actor: string },
  tx: DatabaseTransaction,
  member: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  const { workspaceId, userId, role } = member;
  await assertBelowLimit(deps, tx, { workspaceId, kind: "members" });
  if (!(await tx.insertMember({ ...member, joinedAt: deps.clock.now() }))) {
    throw new AppError("conflict", "this user is a member of the workspace already");
  }
  await tx.setUserWorkspace({ id: userId, workspaceId });
  const detail = { name: (await tx.findUser(userId))?.email, role };
  await recordAudit(deps, tx, "member.added", { id: userId, workspaceId }, detail);
}

/**
 * Ends every session of the user. Without a password one is generated.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function setPassword(
  deps: ActDeps<"findUserByEmail">,
  input: { email: string; password: string | null },
): Promise<{ id: string; email: string; password?: string }> {
  parseField(emailSchema, { field: "email", value: input.email });
  const user = await requireUser(deps.database, input.email);
  const { id, email } = user;
  const password = input.password ?? generatePassword();
  parseField(passwordSchema(user), { field: "password", value: password });
  const passwordHash = await hashPassword(password);
  await deps.database.transaction((tx) =>
    changePasswordHash(deps, tx, { userId: id, passwordHash }),
  );
  return input.password === null ? { id, email, password } : { id, email };
}

/** @throws AppError `not_found` */
export async function requireUser(
  database: Pick<Database, "findUserByEmail">,
  address: string,
): Promise<User> {
  const email = normalizeEmail(address);
  const user = await database.findUserByEmail(email);
  if (!user) throw notFound("user", email);
  return user;
}

/**
 * Ends every session but the one that is kept, and links to sign in: they may belong to someone who knows the old password.
 */
export async function changePasswordHash(
  deps: Actor,
  tx: DatabaseTransaction,
  change: { userId: string; passwordHash: string; keptSessionId?: string },
): Promise<void> {
  const { userId, passwordHash, keptSessionId = null } = change;
  await tx.setPasswordHash({ id: userId, passwordHash });
  await tx.deleteSignInLinks({ userId });
  const endedCount = await tx.endSessions({ userId, exceptId: keptSessionId });
  await recordAudit(deps, tx, "user.password_changed", userId, { endedCount });
}

/**
 * Sessions and invitations of the user go; what the user made stays.
 *
 * @throws AppError `not_found`
 */
export async function deleteUser(
  deps: ActDeps<"findUserByEmail">,
  input: { email: string },
): Promise<{ id: string; email: string }> {
  const { id, email } = await requireUser(deps.database, input.email);
  await deps.database.transaction(async (tx) => {
    await tx.deleteUser(id);
    await recordAudit(deps, tx, "user.deleted", id, { email });
  });
  return { id, email };
}

async function chooseRole(
  database: Pick<Database, "listMembers">,
  { workspaceId, role }: { workspaceId: string; role: string | null },
): Promise<MemberRole> {
  if (role !== null) return parseField(oneOfSchema(memberRoles), { field: "role", value: role });
  return (await database.listMembers(workspaceId)).length === 0 ? "owner" : "member";
}

/** The user's name until they choose one. */
export function nameFromEmail(email: string): string {
  return email.split("@")[0] || email;
}

function generatePassword(): string {
  return randomBytes(15).toString("base64url");
}
