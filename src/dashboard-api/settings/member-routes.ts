// The members of a workspace and its open invitations.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { oneOfSchema } from "../../domain/fields.ts";
import { type Invitation, memberRoles } from "../../domain/user.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import {
  createInvitation,
  removeMember,
  setMemberRole,
  withdrawInvitation,
} from "../../use-cases/members/members.ts";
import type { Invitation as InvitationView, Member } from "../contract/settings.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { email } from "../fields.ts";

const role = oneOfSchema(memberRoles);

export const memberRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/members", {
    access: "member",
    async handle({ deps, workspace, me }) {
      return {
        members: await listMemberViews(deps, { workspaceId: workspace.id, me: me.user.id }),
      };
    },
  }),
  route("PATCH /workspaces/:workspace/members/:user", {
    access: "owner",
    body: z.strictObject({ role }),
    async handle({ deps, actorContext, workspace, me, params, body }) {
      const workspaceId = workspace.id;
      await setMemberRole(actorContext, { workspaceId, userId: params.user, role: body.role });
      return { members: await listMemberViews(deps, { workspaceId, me: me.user.id }) };
    },
  }),
  route("DELETE /workspaces/:workspace/members/:user", {
    access: "member",
    async handle({ actorContext, workspace, me, params }) {
      if (workspace.role !== "owner" && params.user !== me.user.id) {
        throw new AppError("forbidden", "only an owner of the workspace may do this");
      }
      await removeMember(actorContext, { workspaceId: workspace.id, userId: params.user });
      return {};
    },
  }),
  route("GET /workspaces/:workspace/invitations", {
    access: "owner",
    async handle({ deps, workspace }) {
      const query = { workspaceId: workspace.id, now: deps.clock.now() };
      const invitations = await deps.database.listInvitations(query);
      return { invitations: invitations.map(toInvitationView) };
    },
  }),
  route("POST /workspaces/:workspace/invitations", {
    access: "owner",
    limit: { perMinute: 30, by: "workspace" },
    body: z.strictObject({ email: email.nullable(), role }),
    async handle({ deps, actorContext, workspace, me, body }) {
      const input = { ...body, workspaceId: workspace.id, invitedBy: me.user };
      const { invitation, token } = await createInvitation(actorContext, input);
      // In the fragment: browsers send it neither to servers nor as a referrer.
      const link = `${deps.settings.publicUrl ?? ""}/join#${token}`;
      return { invitation: toInvitationView(invitation), link };
    },
  }),
  route("DELETE /workspaces/:workspace/invitations/:invitation", {
    access: "owner",
    async handle({ actorContext, workspace, params }) {
      await withdrawInvitation(actorContext, { workspaceId: workspace.id, id: params.invitation });
      return {};
    },
  }),
];

async function listMemberViews(
  { database }: DashboardDeps,
  query: { workspaceId: string; me: string },
): Promise<Member[]> {
  const members = await database.listMembers(query.workspaceId);
  return members.map((member) => ({
    ...member,
    joinedAt: formatTimestamp(member.joinedAt),
    isMe: member.userId === query.me,
  }));
}

function toInvitationView(invitation: Invitation): InvitationView {
  const { id, email, role, invitedBy, createdAt, endsAt } = invitation;
  return {
    id,
    email,
    role,
    invitedBy,
    createdAt: formatTimestamp(createdAt),
    endsAt: formatTimestamp(endsAt),
  };
}
