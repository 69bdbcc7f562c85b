// The members of a workspace and its open invitations: a role given, a member removed, a person invited by link. A workspace
// always has an owner.
import { z } from "zod";
import type { DatabaseTransaction } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { oneOfSchema } from "../domain/fields.ts";
import { type Invitation, type Member, memberRoles } from "../domain/people/user.ts";
import { inviteeSchema } from "../domain/people/user-input.ts";
import { parseField } from "../domain/validation-errors.ts";
import { dayMs } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { generateToken } from "../use-cases/accounts/link-token.ts";
import { assertHasOwner, giveRole } from "../use-cases/accounts/members.ts";
import { endings, endSecrets } from "../use-cases/endings.ts";
import { listMade } from "../use-cases/outgoing/makers.ts";
import { mailNotice } from "./notices.ts";
import { action, creation, defineNoun, findAmong, type Resource } from "./operation.ts";

const role = oneOfSchema(memberRoles);
type MemberResource = Member & Resource;

const memberNoun = defineNoun<MemberResource>({
  noun: "member",
  plural: "members",
  path: "members",
  find: findAmong(listMembers),
  list: listMembers,
  toView: ({ id, email, role }) => ({ id, email, role }),
  viewSchema: null,
});

async function listMembers(
  database: DatabaseTransaction,
  workspaceId: string,
): Promise<MemberResource[]> {
  const members = await database.listMembers(workspaceId);
  return members.map((member) => ({ ...member, id: member.userId, workspaceId }));
}

export const setMemberRole = action(memberNoun, {
  verb: "change",
  summary: "Give a member another role",
  role: "owner",
  isSensitive: true,
  audit: "member.role_changed",
  schema: z.strictObject({ role }),
  async run({ tx, workspaceId, now, ...context }, { before, input: { role } }) {
    await giveRole(tx, { workspaceId, userId: before.userId, role, now });
    if (before.role === "owner") context.finally("an owner", () => assertHasOwner(tx, workspaceId));
    return { result: { ...before, role }, detail: {} };
  },
  async after(context, { before: { userId, name, email, role }, input }) {
    const { actor } = context;
    const change = `the role ${input.role} instead of ${role}`;
    mailNotice(context, `gave ${name} (${email}) ${change}`);
    if (actor.kind === "user" && actor.user.id === userId) return;
    if (input.role !== "owner") mailNotice(context, `gave you ${change}`, { addresses: [email] });
  },
});

type Left = { id: string; name: string }[];

/**
 * Links that the member made end. Channels and API keys that they made stay, and are returned: programs rely on them, so
 * an owner decides. Members remove themselves, owners remove any member.
 */
export const removeMember = action(memberNoun, {
  verb: "delete",
  summary: "Remove a member",
  role: "viewer",
  audit: "member.removed",
  async run({ tx, workspaceId, actor, ...context }, { before }) {
    const { userId, email } = before;
    if (actor.kind === "user" && actor.user.id !== userId) {
      if (actor.role !== "owner")
        throw new AppError("forbidden", "only an owner of the workspace may do this");
      actor.assertRecentProof();
    }
    if (before.role === "owner") context.finally("an owner", () => assertHasOwner(tx, workspaceId));
    const made = await listMade(tx, workspaceId);
    await tx.deleteMember({ workspaceId, userId });
    for (const { withMember } of endings) await withMember?.(tx, { workspaceId, userId });
    const endedLinks = await endSecrets(tx, { workspaceId, userId });
    const leftOf = (resources: (typeof made)["channels" | "keys"]): Left =>
      resources.flatMap(({ id, name, maker }) => (maker?.id === userId ? { id, name } : []));
    const left = { channels: leftOf(made.channels), keys: leftOf(made.keys) };
    const names = (resources: Left) => resources.map(({ name }) => name);
    const detail = {
      endedLinks,
      channels: names(left.channels),
      keys: names(left.keys),
    };
    return { result: { email, ...left }, detail };
  },
  async after(context, { before, result }) {
    const { actor, workspaceId, deps } = context;
    const { email, channels, keys } = result;
    const names = [...channels, ...keys].map(({ name }) => `"${name}"`).join(", ");
    const left =
      names === ""
        ? "no channels or API keys"
        : `these, which still work, except for keys that change things: ${names}`;
    mailNotice(context, `removed ${email} as a member, who leaves ${left}`);
    if (actor.kind === "user" && actor.user.id === before.userId) return;
    const workspace = await deps.database.findWorkspace(workspaceId);
    const act = `removed you from the workspace ${workspace?.name}`;
    mailNotice(context, act, { addresses: [email] });
  },
});

const invitationMs = 7 * dayMs;
/** Open invitations of one workspace. */
const invitationsMax = 200;

const invitationNoun = defineNoun<Invitation & Resource>({
  noun: "invitation",
  plural: "invitations",
  path: "invitations",
  find: findAmong(listInvitations),
  list: listInvitations,
  toView: ({ id, email, role }) => ({ id, email, role }),
  viewSchema: null,
});

async function listInvitations(
  database: DatabaseTransaction,
  workspaceId: string,
): Promise<(Invitation & Resource)[]> {
  // Also those that have ended: withdrawing one of them is harmless.
  const invitations = await database.listInvitations({ workspaceId, now: new Date(0) });
  return invitations.map((invitation) => ({ ...invitation, version: 0 }));
}

/** The token of the link is returned this once. */
export const inviteMember = creation(invitationNoun, {
  verb: "create",
  summary: "Invite a person",
  role: "owner",
  isSensitive: true,
  limits: [{ perMinute: 30, by: "workspace" }],
  audit: "invitation.created",
  schema: z.strictObject({ email: z.string().max(400, { error: "is too long" }).nullable(), role }),
  async run({ tx, workspaceId, actor, now }, { input }) {
    const { role } = input;
    const email = parseField(inviteeSchema.nullable(), { field: "email", value: input.email });
    if (actor.kind !== "user") throw new Error("only users invite others");
    const open = await tx.listInvitations({ workspaceId, now });
    if (open.length >= invitationsMax)
      throw new AppError("conflict", `${invitationsMax} invitations are open: withdraw some first`);
    const { token, tokenHash } = generateToken();
    const { id: invitedById, name: invitedBy } = actor.user;
    const endsAt = new Date(now.getTime() + invitationMs);
    const id = uuidV7(now);
    const invitation = { id, workspaceId, email, role, invitedById, createdAt: now, endsAt };
    await tx.insertInvitation({ ...invitation, tokenHash });
    return {
      result: { invitation: { ...invitation, invitedBy }, token },
      id,
      detail: { email, role },
    };
  },
});

export const withdrawInvitation = action(invitationNoun, {
  verb: "delete",
  summary: "Withdraw an invitation",
  role: "owner",
  audit: "invitation.withdrawn",
  async run({ tx }, { before }) {
    await tx.deleteInvitation(before);
    return { result: before, detail: { role: before.role } };
  },
});
