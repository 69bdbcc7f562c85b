// The members of a workspace: invited by link, given a role, removed. A workspace always has an owner.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { Invitation, Member, MemberRole, User } from "../../domain/user.ts";
import { inviteeSchema, parseUserInput, type UserInput } from "../../domain/user-input.ts";
import { assertId, notFound, parseField } from "../../domain/validation-errors.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type Actor, recordAudit } from "../audit.ts";
import { listMade } from "../sharing/makers.ts";
import { generateToken, hashToken } from "./link-token.ts";
import { hashPassword } from "./password-hash.ts";
import { addMember, insertUser } from "./users.ts";
import type { LimitedDeps } from "./workspace-limits.ts";

const invitationMs = 7 * dayMs;
/** Open invitations of one workspace. */
const invitationsMax = 200;

/** `actor` is the id of the user who acts. */
type MembersDeps = LimitedDeps & Actor & { database: Database };

/** @throws AppError `invalid_input`, or `conflict` when too many invitations are open */
export async function createInvitation(
  deps: MembersDeps,
  input: { workspaceId: string; email: string | null; role: MemberRole; invitedBy: User },
): Promise<{ invitation: Invitation; token: string }> {
  const { workspaceId, role, invitedBy } = input;
  const email = parseField(inviteeSchema.nullable(), { field: "email", value: input.email });
  const createdAt = deps.clock.now();
  const open = await deps.database.listInvitations({ workspaceId, now: createdAt });
  if (open.length >= invitationsMax) {
    throw new AppError("conflict", `${invitationsMax} invitations are open: withdraw some first`);
  }
  const { token, tokenHash } = generateToken();
  const invitation = {
    id: uuidV7(createdAt),
    workspaceId,
    email,
    role,
    invitedById: invitedBy.id,
    createdAt,
    endsAt: new Date(createdAt.getTime() + invitationMs),
  };
  await deps.database.transaction(async (tx) => {
    await tx.insertInvitation({ ...invitation, tokenHash });
    await recordAudit(deps, tx, "invitation.created", invitation, { email, role });
  });
  return { invitation: { ...invitation, invitedBy: invitedBy.name }, token };
}

/** @throws AppError `not_found` */
export async function withdrawInvitation(
  deps: MembersDeps,
  invitation: { workspaceId: string; id: string },
): Promise<void> {
  assertId("invitation", invitation.id);
  await deps.database.transaction(async (tx) => {
    if (!(await tx.deleteInvitation(invitation))) throw notFound("invitation", invitation.id);
    await recordAudit(deps, tx, "invitation.withdrawn", invitation);
  });
}

export type AcceptedInvitation = Invitation & { workspaceName: string };

/** @throws AppError `not_found` when the invitation was used, withdrawn, or has ended */
export async function requireInvitation(
  { clock, database }: Omit<MembersDeps, "actor">,
  token: string,
): Promise<AcceptedInvitation> {
  const invitation = await database.findInvitation({
    tokenHash: hashToken(token),
    now: clock.now(),
  });
  if (!invitation) throw invitationEnded();
  return invitation;
}

/** @throws AppError `invalid_input`, `not_found`, or `conflict` when the address has an account */
export async function acceptInvitationAsNewUser(
  deps: Omit<MembersDeps, "actor">,
  input: UserInput & { token: string },
): Promise<{ userId: string; invitation: AcceptedInvitation }> {
  const invitation = await requireInvitation(deps, input.token);
  const { password, ...user } = parseUserInput(input);
  assertInvited(invitation, user.email);
  const passwordHash = await hashPassword(password);
  return deps.database.transaction(async (tx) => {
    const userId = await insertUser(deps, tx, { ...user, passwordHash });
    await useInvitation(deps, tx, { invitation, userId });
    return { userId, invitation };
  });
}

/**
 * For a user who is signed in.
 *
 * @throws AppError `not_found`, or `conflict` when it is for another address or the user is a member
 */
export async function acceptInvitation(
  deps: Omit<MembersDeps, "actor">,
  { user, token }: { user: User; token: string },
): Promise<AcceptedInvitation> {
  const invitation = await requireInvitation(deps, token);
  assertInvited(invitation, user.email);
  await deps.database.transaction((tx) => useInvitation(deps, tx, { invitation, userId: user.id }));
  return invitation;
}

async function useInvitation(
  deps: LimitedDeps,
  tx: DatabaseTransaction,
  { invitation, userId }: { invitation: Invitation; userId: string },
): Promise<void> {
  // When two people follow the link at the same moment, one of them deletes it.
  if (!(await tx.deleteInvitation(invitation))) throw invitationEnded();
  const { workspaceId, role } = invitation;
  await addMember({ ...deps, actor: userId }, tx, { workspaceId, userId, role });
}

/** @throws AppError `not_found`, or `conflict` for the last owner */
export async function setMemberRole(
  deps: MembersDeps,
  change: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  const { workspaceId, userId, role } = change;
  await deps.database.transaction(async (tx) => {
    const member = await lockMember(tx, change);
    if (role !== "owner") await assertOwnerRemains(tx, { ...member, workspaceId });
    await tx.setMemberRole(change);
    // A link is a secret, which viewers don't have.
    if (role === "viewer") await tx.endSharedLinks({ workspaceId, madeBy: userId });
    await recordAudit(deps, tx, "member.role_changed", { id: userId, workspaceId }, { role });
  });
}

type Left = { id: string; name: string }[];

/**
 * Links that the member made end. Channels and API keys that they made stay, and are returned: programs rely on them, so
 * an owner decides.
 *
 * @throws AppError `not_found`, or `conflict` for the last owner
 */
export async function removeMember(
  deps: MembersDeps,
  key: { workspaceId: string; userId: string },
): Promise<{ email: string; channels: Left; keys: Left }> {
  const { workspaceId, userId } = key;
  return deps.database.transaction(async (tx) => {
    const member = await lockMember(tx, key);
    await assertOwnerRemains(tx, { ...member, workspaceId });
    const made = await listMade(tx, workspaceId);
    await tx.deleteMember(key);
    const endedLinks = await tx.endSharedLinks({ workspaceId, madeBy: member.userId });
    const leftOf = (things: (typeof made)["channels" | "keys"]): Left =>
      things.flatMap(({ id, name, maker }) => (maker?.id === member.userId ? { id, name } : []));
    const left = { channels: leftOf(made.channels), keys: leftOf(made.keys) };
    const names = (things: Left) => things.map(({ name }) => name);
    const subject = { id: userId, workspaceId };
    await recordAudit(deps, tx, "member.removed", subject, {
      endedLinks: names(endedLinks),
      channels: names(left.channels),
      keys: names(left.keys),
    });
    return { email: member.email, ...left };
  });
}

async function lockMember(
  tx: DatabaseTransaction,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Member> {
  assertId("user", userId);
  // Two owners who remove each other at the same moment come one after the other.
  await tx.lockWorkspace(workspaceId);
  const members = await tx.listMembers(workspaceId);
  const member = members.find((one) => one.userId === userId.toLowerCase());
  if (!member) throw notFound("member", userId);
  return member;
}

async function assertOwnerRemains(
  tx: DatabaseTransaction,
  leaving: Pick<Member, "userId" | "role"> & { workspaceId: string },
): Promise<void> {
  if (leaving.role !== "owner") return;
  const members = await tx.listMembers(leaving.workspaceId);
  if (members.some((one) => one.role === "owner" && one.userId !== leaving.userId)) return;
  throw new AppError("conflict", "a workspace needs an owner: make somebody else one first");
}

/** @throws AppError `conflict` when the invitation is for another address */
export function assertInvited(invitation: Pick<Invitation, "email">, email: string): void {
  const { email: invitee } = invitation;
  if (invitee === null || invitee === email) return;
  if (invitee.startsWith("@") && email.endsWith(invitee)) return;
  throw new AppError("conflict", "this invitation is for another e-mail address", {
    fields: [{ field: "email", message: "is not the one that was invited" }],
  });
}

function invitationEnded(): AppError {
  return new AppError("not_found", "this invitation was used, withdrawn, or has ended");
}

const noticedOwnersMax = 20;

/** Addresses for notices. */
export async function listOwnerAddresses(
  database: Pick<Database, "listMembers">,
  workspaceId: string,
): Promise<string[]> {
  const members = await database.listMembers(workspaceId);
  const owners = members.filter(({ role }) => role === "owner");
  return owners.slice(0, noticedOwnersMax).map(({ email }) => email);
}
