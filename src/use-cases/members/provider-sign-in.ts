// Sign-in through a provider of OpenID Connect: who the account belongs to, whether they may come in, and their role. An
// account is found by issuer and subject; the first time, by an address that the provider has verified.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { type MemberRole, memberRoles, type User } from "../../domain/user.ts";
import { emailSchema, userNameSchema } from "../../domain/user-input.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { OpenIdAccount } from "../../lib/open-id.ts";
import { recordAudit } from "../audit.ts";
import {
  type AcceptedInvitation,
  acceptInvitation,
  assertInvited,
  requireInvitation,
  setMemberRole,
} from "./members.ts";
import { noPassword } from "./password-hash.ts";
import { addMember, changePasswordHash, insertUser, nameFromEmail } from "./users.ts";
import type { LimitedDeps } from "./workspace-limits.ts";

/** The path that is registered at the provider, below PUBLIC_URL. */
export const callbackPath = "/auth/oidc/callback";

export type ProviderRules = {
  signUp: "invitation" | MemberRole;
  /** null: the oldest one. */
  workspaceId: string | null;
  allowedDomains: readonly string[];
  roleClaim: string;
  /** Empty: the provider says nothing about roles. */
  roles: readonly { value: string; role: MemberRole }[];
};

/** Why a person whom the provider knows may not come in. */
export type ProviderRefusal = "domain" | "role" | "email" | "invitation" | "workspace";

export type ProviderSignInDeps = LimitedDeps & { database: Database; log: Log };

export type SignedInThere = {
  user: User;
  /** Whether the account was just created. */
  isNew: boolean;
  /** The one that was accepted. */
  invitation: AcceptedInvitation | null;
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
): Promise<SignedInThere | { refusal: ProviderRefusal }> {
  const { rules, invitationToken } = input;
  const { issuer, subject } = input.account;
  const account = readAccount(input.account, rules);
  if ("refusal" in account) return account;
  const identity = { issuer, subject };
  const known = await deps.database.findUserByIdentity(identity);
  const found = known
    ? { user: known, isNew: false }
    : await linkOrCreate(deps, { ...input, account, identity });
  if ("refusal" in found) return found;
  const { user, isNew } = found;
  if (invitationToken !== null) {
    const invitation = await acceptInvitation(deps, { user, token: invitationToken });
    return { user, isNew, invitation };
  }
  if (account.role !== null) await applyRole(deps, { user, rules, role: account.role });
  return { user, isNew, invitation: null };
}

function readAccount(
  { claims }: OpenIdAccount,
  rules: ProviderRules,
): Account | { refusal: ProviderRefusal } {
  const parsed = emailSchema.safeParse(claims["email"]);
  const email = parsed.success && claims["email_verified"] === true ? parsed.data : null;
  const domain = email?.split("@")[1] ?? "";
  if (rules.allowedDomains.length > 0 && !rules.allowedDomains.includes(domain)) {
    return { refusal: "domain" };
  }
  const values = [claims[rules.roleClaim]].flat();
  const mapped = rules.roles.filter(({ value }) => values.includes(value));
  // With several, the one that allows most.
  const role = memberRoles.find((one) => mapped.some((line) => line.role === one)) ?? null;
  if (rules.roles.length > 0 && role === null) return { refusal: "role" };
  const { name } = claims;
  const named = userNameSchema.safeParse(name);
  return { email, role, name: named.success ? named.data : nameFromEmail(email ?? "") };
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
): Promise<{ user: User; isNew: boolean } | { refusal: ProviderRefusal }> {
  const { account, identity, rules, invitationToken } = input;
  const { email, name } = account;
  if (email === null) return { refusal: "email" };
  const existing = await deps.database.findUserByEmail(email);
  if (existing) {
    return { user: await linkUser(deps, { user: existing, identity }), isNew: false };
  }
  if (invitationToken !== null) {
    assertInvited(await requireInvitation(deps, invitationToken), email);
    const user = await createUser(deps, { email, name, identity, membership: null });
    return { user, isNew: true };
  }
  if (rules.signUp === "invitation") return { refusal: "invitation" };
  const workspaceId = await findWorkspaceId(deps, rules);
  if (workspaceId === null) return { refusal: "workspace" };
  const membership = { workspaceId, role: account.role ?? rules.signUp };
  return { user: await createUser(deps, { email, name, identity, membership }), isNew: true };
}

/**
 * An address that was never confirmed may have been registered by another person: that password and its sessions end, because
 * the provider has verified whose address it is.
 */
async function linkUser(
  deps: ProviderSignInDeps,
  { user, identity }: { user: User; identity: Identity },
): Promise<User> {
  const by = { clock: deps.clock, actor: user.id };
  await deps.database.transaction(async (tx) => {
    await tx.lockPasswordHash(user.id);
    await insertIdentity(by, tx, { userId: user.id, identity });
    if (user.emailConfirmedAt !== null) return;
    const change = { userId: user.id, passwordHash: noPassword, keptSessionId: null };
    await changePasswordHash(by, tx, change);
    await tx.confirmEmail({ id: user.id, now: deps.clock.now() });
  });
  return user;
}

async function createUser(
  deps: ProviderSignInDeps,
  input: {
    email: string;
    name: string;
    identity: Identity;
    membership: { workspaceId: string; role: MemberRole } | null;
  },
): Promise<User> {
  const { email, name, identity, membership } = input;
  const id = await deps.database.transaction(async (tx) => {
    const user = { email, name };
    const verified = { user, passwordHash: noPassword, isConfirmed: true };
    const { id: userId } = await insertUser(deps, tx, verified);
    const by = { ...deps, actor: userId };
    await insertIdentity(by, tx, { userId, identity });
    if (membership) await addMember(by, tx, { ...membership, userId });
    return userId;
  });
  const created = await deps.database.findUser(id);
  if (!created) throw new Error("a user who was just created does not exist");
  return created;
}

async function insertIdentity(
  by: { clock: Clock; actor: string },
  tx: Pick<DatabaseTransaction, "insertIdentity" | "insertAuditEntry">,
  { userId, identity }: { userId: string; identity: Identity },
): Promise<void> {
  if (!(await tx.insertIdentity({ ...identity, userId, linkedAt: by.clock.now() }))) {
    throw new AppError("conflict", "this account was linked a moment ago: sign in again");
  }
  const entry = { action: "identity.linked", subject: userId, workspaceId: null };
  await recordAudit(by, tx, { ...entry, detail: { issuer: identity.issuer } });
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
  const by = { ...deps, actor: "service" };
  if (!membership) {
    await deps.database.transaction((tx) => addMember(by, tx, { ...member, role }));
  } else if (membership.role !== role) {
    try {
      await setMemberRole(by, { ...member, role });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      deps.log.warn({ userId: user.id, role }, "the last owner of a workspace keeps the role");
    }
  }
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
