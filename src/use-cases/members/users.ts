// User accounts: created for a workspace, given a new password, deleted. Users who forgot their password
// get a link by e-mail (password-reset.ts), or ask the operator.
import { randomBytes } from "node:crypto";
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { oneOfSchema } from "../../domain/fields.ts";
import { type MemberRole, memberRoles, type User } from "../../domain/user.ts";
import {
  emailSchema,
  normalizeEmail,
  parseUserInput,
  passwordSchema,
  type UserInput,
} from "../../domain/user-input.ts";
import { notFound, parseField } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { hashPassword } from "./password-hash.ts";
import { assertBelowLimit, type LimitedDeps } from "./workspace-limits.ts";
import { requireWorkspace } from "./workspaces.ts";

export type CreateUserDeps = LimitedDeps & {
  database: Pick<Database, "findUserByEmail" | "findWorkspace" | "listMembers" | "transaction">;
  actor: string;
};

export type CreatedUser = {
  id: string;
  email: string;
  workspaceId: string;
  role: MemberRole;
  /** Only when it was generated: it is shown this once. */
  password?: string;
};

/**
 * Creates an account and adds it to a workspace; an account that exists is only added. Without a
 * password one is generated; without a role the first member of a workspace is its owner.
 *
 * @throws AppError `invalid_input`, `not_found`, or `conflict` when the account exists with a password, or with an
 *   address that was never confirmed
 */
export async function createUser(
  deps: CreateUserDeps,
  input: {
    email: string;
    name: string | null;
    password: string | null;
    workspaceId: string;
    role: string | null;
    /** Adds an existing account whose address is not confirmed. */
    acceptsUnconfirmed?: boolean;
  },
): Promise<CreatedUser> {
  const email = parseField(emailSchema, { field: "email", value: input.email });
  const { id: workspaceId } = await requireWorkspace(deps.database, {
    field: "workspace",
    id: input.workspaceId,
  });
  const role = await chooseRole(deps, { workspaceId, role: input.role });
  const existing = await deps.database.findUserByEmail(email);
  if (existing && input.password !== null) {
    throw new AppError("conflict", `${email} has an account and a password already`);
  }
  if (existing?.emailConfirmedAt === null && !input.acceptsUnconfirmed) {
    throw new AppError("conflict", describeUnconfirmed(existing));
  }
  const password = input.password ?? generatePassword();
  const name = input.name ?? nameFromEmail(email);
  const user = existing ? null : parseUserInput({ email, name, password });
  const passwordHash = user && (await hashPassword(user.password));
  const userId = await deps.database.transaction(async (tx) => {
    const saved =
      user && passwordHash
        ? await insertUser(deps, tx, { user, passwordHash, isConfirmed: true })
        : existing;
    if (!saved) throw notFound("user", email);
    await addMember(deps, tx, { workspaceId, userId: saved.id, role });
    return saved.id;
  });
  const created = { id: userId, email, workspaceId, role };
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
  deps: {
    clock: Clock;
    /** By default the new user. */
    actor?: string;
  },
  tx: Pick<DatabaseTransaction, "insertUser" | "insertAuditEntry">,
  input: {
    user: Pick<UserInput, "email" | "name">;
    passwordHash: string;
    /** The operator or a provider vouches for the address. */
    isConfirmed?: boolean;
  },
): Promise<Pick<User, "id">> {
  const { user, passwordHash } = input;
  const createdAt = deps.clock.now();
  const id = uuidV7(createdAt);
  const { email, name } = user;
  const emailConfirmedAt = input.isConfirmed ? createdAt : null;
  if (!(await tx.insertUser({ id, email, name, passwordHash, createdAt, emailConfirmedAt }))) {
    throw new AppError("conflict", "this e-mail address has an account already: sign in with it", {
      fields: [{ field: "email", message: "has an account already" }],
    });
  }
  const entry = { action: "user.created", subject: id, workspaceId: null, detail: { email } };
  await recordAudit({ clock: deps.clock, actor: deps.actor ?? id }, tx, entry);
  return { id };
}

/** @throws AppError `conflict` when the user is a member already, or the workspace has as many as it may have */
export async function addMember(
  deps: LimitedDeps & { actor: string },
  tx: Pick<
    DatabaseTransaction,
    | "countWorkspaceContent"
    | "insertMember"
    | "insertAuditEntry"
    | "lockWorkspace"
    | "setUserWorkspace"
  >,
  member: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  const { workspaceId, userId, role } = member;
  await assertBelowLimit(deps, tx, { workspaceId, kind: "members" });
  if (!(await tx.insertMember({ ...member, joinedAt: deps.clock.now() }))) {
    throw new AppError("conflict", "this user is a member of the workspace already");
  }
  await tx.setUserWorkspace({ id: userId, workspaceId });
  const entry = { action: "member.added", subject: userId, workspaceId, detail: { role } };
  await recordAudit(deps, tx, entry);
}

/**
 * Ends every session of the user. Without a password one is generated.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function setPassword(
  deps: {
    clock: Clock;
    database: Pick<Database, "findUserByEmail" | "transaction">;
    actor: string;
  },
  input: { email: string; password: string | null },
): Promise<{ id: string; email: string; password?: string }> {
  const email = parseField(emailSchema, { field: "email", value: input.email });
  const user = await deps.database.findUserByEmail(email);
  if (!user) throw notFound("user", email);
  const password = input.password ?? generatePassword();
  parseField(passwordSchema(user), { field: "password", value: password });
  const passwordHash = await hashPassword(password);
  await deps.database.transaction(async (tx) => {
    await changePasswordHash(deps, tx, { userId: user.id, passwordHash, keptSessionId: null });
  });
  return input.password === null ? { id: user.id, email, password } : { id: user.id, email };
}

/**
 * Ends every session but the one that is kept: the others may belong to someone who knows the old password.
 */
export async function changePasswordHash(
  deps: { clock: Clock; actor: string },
  tx: Pick<DatabaseTransaction, "setPasswordHash" | "endSessions" | "insertAuditEntry">,
  change: { userId: string; passwordHash: string; keptSessionId: string | null },
): Promise<void> {
  const { userId, passwordHash, keptSessionId } = change;
  await tx.setPasswordHash({ id: userId, passwordHash });
  const endedCount = await tx.endSessions({ userId, exceptId: keptSessionId });
  const entry = { action: "user.password_changed", subject: userId, workspaceId: null };
  await recordAudit(deps, tx, { ...entry, detail: { endedCount } });
}

/**
 * Sessions and invitations of the user go; what the user made stays.
 *
 * @throws AppError `not_found`
 */
export async function deleteUser(
  deps: {
    clock: Clock;
    database: Pick<Database, "findUserByEmail" | "transaction">;
    actor: string;
  },
  input: { email: string },
): Promise<{ id: string; email: string }> {
  const email = normalizeEmail(input.email);
  const user = await deps.database.findUserByEmail(email);
  if (!user) throw notFound("user", email);
  await deps.database.transaction(async (tx) => {
    await tx.deleteUser(user.id);
    const entry = { action: "user.deleted", subject: user.id, workspaceId: null };
    await recordAudit(deps, tx, { ...entry, detail: { email } });
  });
  return { id: user.id, email };
}

async function chooseRole(
  deps: Pick<CreateUserDeps, "database">,
  input: { workspaceId: string; role: string | null },
): Promise<MemberRole> {
  if (input.role !== null) return parseRole(input.role);
  const members = await deps.database.listMembers(input.workspaceId);
  return members.length === 0 ? "owner" : "member";
}

/** @throws AppError `invalid_input` */
export function parseRole(role: string): MemberRole {
  return parseField(oneOfSchema(memberRoles), { field: "role", value: role });
}

/** The user's name until they choose one. */
export function nameFromEmail(email: string): string {
  return email.split("@")[0] || email;
}

function generatePassword(): string {
  return randomBytes(15).toString("base64url");
}
