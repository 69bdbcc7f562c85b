// People who join a workspace by the link of an invitation.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { Invitation, MemberRole, User } from "../../domain/people/user.ts";
import { parseUserInput, type UserInput } from "../../domain/people/user-input.ts";
import type { Actor } from "../audit.ts";
import { endSecrets } from "../endings.ts";
import type { LimitedDeps } from "../workspaces/workspace-limits.ts";
import { hashToken } from "./link-token.ts";
import { hashPassword } from "./password-hash.ts";
import { addMember, insertUser } from "./users.ts";

/** `actor` is the id of the user who acts. */
type MembersDeps = LimitedDeps & Actor & { database: Database };

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
  return deps.database.forWorkspace(invitation.workspaceId).transaction(async (tx) => {
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
  await deps.database
    .forWorkspace(invitation.workspaceId)
    .transaction((tx) => useInvitation(deps, tx, { invitation, userId: user.id }));
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

/** The caller holds the workspace's lock, and sees to it that an owner remains. */
export async function giveRole(
  tx: DatabaseTransaction,
  change: { workspaceId: string; userId: string; role: MemberRole; now: Date },
): Promise<void> {
  const { workspaceId, userId, role } = change;
  await tx.setMemberRole(change);
  // A link is a secret, which viewers don't have.
  if (role === "viewer") await endSecrets(tx, { workspaceId, userId });
}

/** @throws AppError `conflict` when an owner left or got another role, and was the last one */
export async function assertHasOwner(tx: DatabaseTransaction, workspaceId: string): Promise<void> {
  const members = await tx.listMembers(workspaceId);
  if (members.some(({ role }) => role === "owner")) return;
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
