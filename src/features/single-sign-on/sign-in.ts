// Sign-in through a provider of OpenID Connect: who the account belongs to, whether they may come in, and their role. An
// account is found by issuer and subject; the first time, by an address that the provider has verified.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { systemActor } from "../../domain/people/audit.ts";
import { type MemberRole, memberRoles, type User } from "../../domain/people/user.ts";
import { emailSchema, userNameSchema } from "../../domain/people/user-input.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { valueAt } from "../../lib/json.ts";
import type { Log } from "../../lib/log.ts";
import {
  type AcceptedInvitation,
  acceptInvitation,
  assertHasOwner,
  assertInvited,
  giveRole,
  requireInvitation,
} from "../../use-cases/accounts/members.ts";
import { noPassword } from "../../use-cases/accounts/password-hash.ts";
import {
  addMember,
  changePasswordHash,
  insertUser,
  nameFromEmail,
} from "../../use-cases/accounts/users.ts";
import { type Actor, recordAudit } from "../../use-cases/audit.ts";
import type { LimitedDeps } from "../../use-cases/workspaces/workspace-limits.ts";
import type { OpenIdAccount } from "./open-id.ts";
import * as statements from "./sql.ts";

export type ProviderRules = {
  signUp: "invitation" | MemberRole;
  /** null: the oldest one. */
  workspaceId: string | null;
  /** The operator vouches for the provider's addresses: `email_verified` may be missing or false. */
  trustsEmails: boolean;
  allowedDomains: readonly string[];
  /** A claim, or a path to one with dots, like `realm_access.roles`. */
  roleClaim: string;
  /** Empty: the provider says nothing about roles. */
  roles: readonly { value: string; role: MemberRole }[];
};

/** Why a person whom the provider knows may not come in. */
export type ProviderRefusal = "domain" | "role" | "email" | "invitation" | "workspace";

type ProviderSignInDeps = LimitedDeps & { database: Database; log: Log };

type SignedIn = {
  user: User;
  /** Whether the account was just created. */
  isNew: boolean;
};

type Account = {
  /** As the provider verified it, in lower case; null without. */
  email: string | null;
  name: string;
  /** null where the rules have no roles. */
  role: MemberRole | null;
};

/** @throws AppError when an invitation has ended, is for another address, or the workspace is full */
export async function signInWithProvider(
  deps: ProviderSignInDeps,
  input: { account: OpenIdAccount; rules: ProviderRules; invitationToken: string | null },
): Promise<(SignedIn & { invitation: AcceptedInvitation | null }) | { refusal: ProviderRefusal }> {
  const { rules, invitationToken: token } = input;
  const { issuer, subject } = input.account;
  const account = readAccount(input.account, rules);
  if ("refusal" in account) return account;
  const identity = { issuer, subject };
  const known = await deps.database.with(statements).findUserByIdentity(identity);
  const found = known
    ? { user: known, isNew: false }
    : await linkOrCreate(deps, { ...input, account, identity });
  if ("refusal" in found) return found;
  const { user } = found;
  const invitation = token === null ? null : await acceptInvitation(deps, { user, token });
  // Also after an invitation, which may be to the workspace whose roles the provider decides.
  if (account.role !== null) await applyRole(deps, { user, rules, role: account.role });
  return { ...found, invitation };
}

function readAccount(
  { claims }: OpenIdAccount,
  rules: ProviderRules,
): Account | { refusal: ProviderRefusal } {
  const parsed = emailSchema.safeParse(claims["email"]);
  const isVerified = rules.trustsEmails || String(claims["email_verified"]) === "true";
  // The schema trims what people type; the provider verified the address as it is.
  const isExact = parsed.data === String(claims["email"]).toLowerCase();
  const email = parsed.success && isVerified && isExact ? parsed.data : null;
  const domain = email?.split("@")[1] ?? "";
  if (rules.allowedDomains.length > 0 && !rules.allowedDomains.includes(domain)) {
    return { refusal: "domain" };
  }
  const values = listValues(readClaim(claims, rules.roleClaim));
  const mapped = rules.roles.filter(({ value }) => values.includes(value));
  // With several, the one that allows most.
  const role = memberRoles.find((one) => mapped.some((line) => line.role === one)) ?? null;
  if (rules.roles.length > 0 && role === null) return { refusal: "role" };
  const { data: name } = userNameSchema.safeParse(claims["name"]);
  return { email, role, name: name ?? nameFromEmail(email ?? "") };
}

/** Names of claims can have dots of their own, such as `https://example.com/roles`, so the longest name counts. */
function readClaim(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null) return null;
  const names = Object.keys(value).filter((name) => path === name || path.startsWith(`${name}.`));
  const [name] = names.sort((one, other) => other.length - one.length);
  if (name === undefined) return null;
  const inner = valueAt(value, name);
  return name === path ? inner : readClaim(inner, path.slice(name.length + 1));
}

/** Some providers send an object with a key for each role. */
function listValues(claim: unknown): unknown[] {
  const isObject = typeof claim === "object" && claim !== null && !Array.isArray(claim);
  return isObject ? Object.keys(claim) : [claim].flat();
}

type Identity = { issuer: string; subject: string };

/** For the first sign-in of this account at the provider. */
async function linkOrCreate(
  deps: ProviderSignInDeps,
  input: {
    account: Account;
    identity: Identity;
    rules: ProviderRules;
    invitationToken: string | null;
  },
): Promise<SignedIn | { refusal: ProviderRefusal }> {
  const { account, identity, rules, invitationToken } = input;
  const { email, name } = account;
  if (email === null) return { refusal: "email" };
  const user = await deps.database.findUserByEmail(email);
  if (user) {
    await linkUser(deps, { user, identity });
    return { user, isNew: false };
  }
  if (invitationToken !== null) {
    assertInvited(await requireInvitation(deps, invitationToken), email);
    return createUser(deps, { email, name, identity, membership: null });
  }
  if (rules.signUp === "invitation") return { refusal: "invitation" };
  const workspaceId = await findWorkspaceId(deps, rules);
  if (workspaceId === null) return { refusal: "workspace" };
  const membership = { workspaceId, role: account.role ?? rules.signUp };
  return createUser(deps, { email, name, identity, membership });
}

/**
 * An address that was never confirmed may have been registered by another person: that password and its sessions end, because
 * the provider has verified whose address it is.
 */
async function linkUser(
  deps: ProviderSignInDeps,
  { user, identity }: { user: User; identity: Identity },
): Promise<void> {
  const by = { ...deps, actor: user.id };
  await deps.database.transaction(async (tx) => {
    await tx.lockPasswordHash(user.id);
    await insertIdentity(by, tx, { userId: user.id, identity });
    if (user.emailConfirmedAt !== null) return;
    await changePasswordHash(by, tx, { userId: user.id, passwordHash: noPassword });
    await tx.confirmEmail({ id: user.id, now: deps.clock.now() });
  });
}

async function createUser(
  deps: ProviderSignInDeps,
  input: {
    email: string;
    name: string;
    identity: Identity;
    membership: { workspaceId: string; role: MemberRole } | null;
  },
): Promise<SignedIn> {
  const { identity, membership, ...user } = input;
  const { database } = deps;
  const own = membership ? database.forWorkspace(membership.workspaceId) : database;
  const id = await own.transaction(async (tx) => {
    const verified = { ...user, passwordHash: noPassword, isConfirmed: true };
    const userId = await insertUser(deps, tx, verified);
    const by = { ...deps, actor: userId };
    await insertIdentity(by, tx, { userId, identity });
    if (membership) await addMember(by, tx, { ...membership, userId });
    return userId;
  });
  const created = await deps.database.findUser(id);
  if (!created) throw new Error("a user who was just created does not exist");
  return { user: created, isNew: true };
}

async function insertIdentity(
  by: Actor,
  tx: DatabaseTransaction,
  { userId, identity }: { userId: string; identity: Identity },
): Promise<void> {
  if (
    !(await tx.with(statements).insertIdentity({ ...identity, userId, linkedAt: by.clock.now() }))
  ) {
    throw new AppError("conflict", "this account was linked a moment ago: sign in again");
  }
  await recordAudit(by, tx, "identity.linked", userId, { issuer: identity.issuer });
}

/** The provider's word on the role, at every sign-in. */
async function applyRole(
  deps: ProviderSignInDeps,
  { user, rules, role }: { user: User; rules: ProviderRules; role: MemberRole },
): Promise<void> {
  const workspaceId = await findWorkspaceId(deps, rules);
  if (workspaceId === null) return;
  const member = { workspaceId, userId: user.id };
  const membership = await deps.database.findMembership(member);
  const by = { ...deps, actor: systemActor };
  if (!membership) {
    await deps.database
      .forWorkspace(workspaceId)
      .transaction((tx) => addMember(by, tx, { ...member, role }));
  } else if (membership.role !== role) {
    try {
      await setMemberRole(by, { ...member, role });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      deps.log.warn({ userId: user.id, role }, "the last owner of a workspace keeps the role");
    }
  }
}

/** @throws AppError `not_found`, or `conflict` for the last owner */
async function setMemberRole(
  deps: Actor & { database: Pick<Database, "forWorkspace"> },
  change: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  const { workspaceId, userId, role } = change;
  await deps.database.forWorkspace(workspaceId).transaction(async (tx) => {
    await tx.lockWorkspace(workspaceId);
    const before = (await tx.listMembers(workspaceId)).find((one) => one.userId === userId);
    if (!before) throw notFound("member", userId);
    await giveRole(tx, { ...change, now: deps.clock.now() });
    if (before.role === "owner") await assertHasOwner(tx, workspaceId);
    const detail = { name: before.email, changes: { role: [before.role, role] } };
    await recordAudit(deps, tx, "member.role_changed", { id: userId, workspaceId }, detail);
  });
}

async function findWorkspaceId(
  { database }: ProviderSignInDeps,
  rules: ProviderRules,
): Promise<string | null> {
  const found =
    rules.workspaceId === null
      ? await database.findOldestWorkspace()
      : await database.findWorkspace(rules.workspaceId);
  return found?.id ?? null;
}
