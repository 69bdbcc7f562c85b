// The people of a workspace: invited by link, given a role, removed. There is always an owner.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { Invitation, Member, MemberRole, User } from "../../domain/user.ts";
import { assertId, failFields, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { hashToken, generateToken } from "./link-token.ts";
import { hashPassword } from "./password-hash.ts";
import { type UserInput, parseEmail, parseUserInput } from "./user-input.ts";
import { insertUser, addMember } from "./users.ts";

const invitationMs = 7 * dayMs;
/** Open invitations of one workspace. */
const invitationsMax = 200;

/** `actor` is the id of the person who acts. */
type Rooms = { clock: Clock; database: Database; actor: string };

export async function createInvitation(
  deps: Rooms,
  given: { workspaceId: string; email: string | null; role: MemberRole; invitedBy: User },
): Promise<{ invitation: Invitation; token: string }> {
  const { workspaceId, role, invitedBy } = given;
  const email = given.email === null ? null : parseEmail(given.email);
  failFields(email?.faults ?? []);
  const createdAt = deps.clock.now();
  const open = await deps.database.listInvitations({ workspaceId, now: createdAt });
  if (open.length >= invitationsMax) {
    throw new AppError("conflict", `${invitationsMax} invitations are open: take some back first`);
  }
  const { token, tokenHash } = generateToken();
  const invitation = {
    id: uuidV7(createdAt),
    workspaceId,
    email: email?.email ?? null,
    role,
    invitedById: invitedBy.id,
    createdAt,
    endsAt: new Date(createdAt.getTime() + invitationMs),
  };
  await deps.database.transaction(async (tx) => {
    await tx.insertInvitation({ ...invitation, tokenHash });
    const act = { action: "invitation.created", subject: invitation.id, workspaceId };
    await recordAudit(deps, tx, { ...act, detail: { email: invitation.email, role } });
  });
  return { invitation: { ...invitation, invitedBy: invitedBy.name }, token };
}

export async function withdrawInvitation(
  deps: Rooms,
  given: { workspaceId: string; id: string },
): Promise<void> {
  assertId("invitation", given.id);
  await deps.database.transaction(async (tx) => {
    if (!(await tx.deleteInvitation(given))) throw notFound("invitation", given.id);
    const { id: subject, workspaceId } = given;
    await recordAudit(deps, tx, { action: "invitation.withdrawn", subject, workspaceId });
  });
}

export async function requireInvitation(
  { clock, database }: Pick<Rooms, "clock" | "database">,
  token: string,
): Promise<Invitation & { workspaceName: string }> {
  const found = await database.findInvitation({ tokenHash: hashToken(token), now: clock.now() });
  if (!found) throw endedInvitation();
  return found;
}

/** With a new account. */
export async function acceptInvitationAsNewUser(
  deps: Pick<Rooms, "clock" | "database">,
  given: UserInput & { token: string },
): Promise<{ userId: string }> {
  const invitation = await requireInvitation(deps, given.token);
  const person = parseUserInput(given);
  checkAddressee(invitation, person.email);
  const passwordHash = await hashPassword(person.password);
  return deps.database.transaction(async (tx) => {
    const { id } = await insertUser(deps, tx, { person, passwordHash });
    await takeInvitation(deps, tx, { invitation, userId: id });
    return { userId: id };
  });
}

/** With the account that is signed in. */
export async function acceptInvitation(
  deps: Pick<Rooms, "clock" | "database">,
  given: { user: User; token: string },
): Promise<void> {
  const invitation = await requireInvitation(deps, given.token);
  checkAddressee(invitation, given.user.email);
  await deps.database.transaction((tx) =>
    takeInvitation(deps, tx, { invitation, userId: given.user.id }),
  );
}

async function takeInvitation(
  deps: { clock: Clock },
  tx: DatabaseTransaction,
  taken: { invitation: Invitation; userId: string },
): Promise<void> {
  const { invitation, userId } = taken;
  // Of two who follow the link at the same moment one deletes it.
  if (!(await tx.deleteInvitation(invitation))) throw endedInvitation();
  const { workspaceId, role } = invitation;
  await addMember({ ...deps, actor: userId }, tx, { workspaceId, userId, role });
}

export async function setMemberRole(
  deps: Rooms,
  change: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  const { workspaceId, userId, role } = change;
  await deps.database.transaction(async (tx) => {
    const member = await holdMember(tx, change);
    if (role === "member") await keepAnOwner(tx, { ...member, workspaceId });
    await tx.setMemberRole(change);
    const act = { action: "member.role_changed", subject: userId, workspaceId };
    await recordAudit(deps, tx, { ...act, detail: { role } });
  });
}

export async function removeMember(
  deps: Rooms,
  removed: { workspaceId: string; userId: string },
): Promise<void> {
  const { workspaceId, userId } = removed;
  await deps.database.transaction(async (tx) => {
    const member = await holdMember(tx, removed);
    await keepAnOwner(tx, { ...member, workspaceId });
    await tx.deleteMember(removed);
    await recordAudit(deps, tx, { action: "member.removed", subject: userId, workspaceId });
  });
}

async function holdMember(
  tx: DatabaseTransaction,
  held: { workspaceId: string; userId: string },
): Promise<Member> {
  assertId("user", held.userId);
  // Two owners who remove each other at the same moment come one after the other.
  await tx.lockWorkspace(held.workspaceId);
  const members = await tx.listMembers(held.workspaceId);
  const member = members.find(({ userId }) => userId === held.userId.toLowerCase());
  if (!member) throw notFound("member", held.userId);
  return member;
}

async function keepAnOwner(
  tx: DatabaseTransaction,
  leaving: Pick<Member, "userId" | "role"> & { workspaceId: string },
): Promise<void> {
  if (leaving.role !== "owner") return;
  const members = await tx.listMembers(leaving.workspaceId);
  const isLast = !members.some((one) => one.role === "owner" && one.userId !== leaving.userId);
  if (isLast)
    throw new AppError("conflict", "a workspace needs an owner: make somebody else one first");
}

function checkAddressee(invitation: Pick<Invitation, "email">, email: string): void {
  if (invitation.email === null || invitation.email === email) return;
  throw new AppError("conflict", "this invitation is for another e-mail address", {
    fields: [{ field: "email", message: "is not the one that was invited" }],
  });
}

function endedInvitation(): AppError {
  return new AppError("not_found", "this invitation was used, taken back, or has ended");
}
