// The people of a workspace and the invitations that are open.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { type Invitation, memberRoles } from "../../domain/user.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import {
  invite,
  removeMember,
  setMemberRole,
  withdrawInvitation,
} from "../../use-cases/members/members.ts";
import type { Member, Invitation as ShownInvitation } from "../contract/settings.ts";
import { type ConsoleRoute, route } from "../dashboard-route.ts";
import type { ConsoleRooms } from "../deps.ts";
import { email } from "../fields.ts";

const role = z.enum(memberRoles, { error: `must be one of ${memberRoles.join(", ")}` });

export const memberRoutes: readonly ConsoleRoute[] = [
  route("GET /workspaces/:workspace/members", {
    admits: "member",
    async answer({ deps, workspace, me }) {
      return { members: await showMembers(deps, { workspaceId: workspace.id, me: me.user.id }) };
    },
  }),
  route("PATCH /workspaces/:workspace/members/:user", {
    admits: "owner",
    body: z.strictObject({ role }),
    async answer({ deps, acting, workspace, me, params, body }) {
      const workspaceId = workspace.id;
      await setMemberRole(acting, { workspaceId, userId: params.user, role: body.role });
      return { members: await showMembers(deps, { workspaceId, me: me.user.id }) };
    },
  }),
  route("DELETE /workspaces/:workspace/members/:user", {
    admits: "member",
    async answer({ acting, workspace, me, params }) {
      if (workspace.role !== "owner" && params.user !== me.user.id) {
        throw new AppError("forbidden", "only an owner of the workspace may do this");
      }
      await removeMember(acting, { workspaceId: workspace.id, userId: params.user });
      return {};
    },
  }),
  route("GET /workspaces/:workspace/invitations", {
    admits: "owner",
    async answer({ deps, workspace }) {
      const wanted = { workspaceId: workspace.id, now: deps.clock.now() };
      const found = await deps.database.listInvitations(wanted);
      return { invitations: found.map(showInvitation) };
    },
  }),
  route("POST /workspaces/:workspace/invitations", {
    admits: "owner",
    body: z.strictObject({ email: email.nullable(), role }),
    async answer({ deps, acting, workspace, me, body }) {
      const wanted = { ...body, workspaceId: workspace.id, invitedBy: me.user };
      const { invitation, token } = await invite(acting, wanted);
      // In the fragment: it is in no log and in no header of where one came from.
      const link = `${deps.settings.publicUrl ?? ""}/join#${token}`;
      return { invitation: showInvitation(invitation), link };
    },
  }),
  route("DELETE /workspaces/:workspace/invitations/:invitation", {
    admits: "owner",
    async answer({ acting, workspace, params }) {
      await withdrawInvitation(acting, { workspaceId: workspace.id, id: params.invitation });
      return {};
    },
  }),
];

async function showMembers(
  { database }: ConsoleRooms,
  of: { workspaceId: string; me: string },
): Promise<Member[]> {
  const members = await database.listMembers(of.workspaceId);
  return members.map((member) => ({
    ...member,
    joinedAt: formatTimestamp(member.joinedAt),
    isMe: member.userId === of.me,
  }));
}

function showInvitation(invitation: Invitation): ShownInvitation {
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
