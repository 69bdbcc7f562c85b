// The members of a workspace and its open invitations.
import { AppError } from "../../domain/error.ts";
import type { Invitation, Membership } from "../../domain/user.ts";
import { mayMailStranger } from "../../use-cases/channels/email-recipients.ts";
import {
  createInvitation,
  removeMember,
  setMemberRole,
  withdrawInvitation,
} from "../../use-cases/members/members.ts";
import { memberChange, newInvitation } from "../contract/requests.ts";
import type { Invitation as InvitationView } from "../contract/settings.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { assertRecentProof } from "../session/identity.ts";
import { toJson } from "../show.ts";

export const memberRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/members", {
    access: "viewer",
    async handle({ deps, workspace, me }) {
      return { members: await listMemberViews(deps, { workspace, me: me.user.id }) };
    },
  }),
  route("PATCH /workspaces/:workspace/members/:user", {
    access: "owner",
    isSensitive: true,
    body: memberChange,
    async handle({ deps, workspace, workspaceId, me, notices, params, body }) {
      await setMemberRole(deps, { workspaceId, userId: params.user, role: body.role });
      notices.owners(workspace, `gave a member the role ${body.role}`);
      return { members: await listMemberViews(deps, { workspace, me: me.user.id }) };
    },
  }),
  route("DELETE /workspaces/:workspace/members/:user", {
    access: "viewer",
    async handle({ deps, workspace, workspaceId, me, notices, params }) {
      if (workspace.role !== "owner" && params.user !== me.user.id) {
        throw new AppError("forbidden", "only an owner of the workspace may do this");
      }
      // A member who leaves takes nothing from others.
      if (params.user !== me.user.id) assertRecentProof(deps, me);
      const key = { workspaceId, userId: params.user };
      const { email, channels, keys } = await removeMember(deps, key);
      const names = [...channels, ...keys].map(({ name }) => `"${name}"`).join(", ");
      const left =
        names === ""
          ? "no channels or API keys"
          : `these, which still work, except for keys that change things: ${names}`;
      notices.owners(workspace, `removed ${email} as a member, who leaves ${left}`);
      if (params.user !== me.user.id) {
        notices.user(email, `removed you from the workspace ${workspace.name}`);
      }
      return { channels, keys };
    },
  }),
  route("GET /workspaces/:workspace/invitations", {
    access: "owner",
    async handle({ deps, workspaceId }) {
      const query = { workspaceId, now: deps.clock.now() };
      const invitations = await deps.database.listInvitations(query);
      return {
        invitations: invitations.map(toInvitationView),
        isMailSet: deps.sendMail !== null,
      };
    },
  }),
  route("POST /workspaces/:workspace/invitations", {
    access: "owner",
    isSensitive: true,
    limits: [{ perMinute: 30, by: "workspace" }],
    body: newInvitation,
    async handle({ deps, workspace, workspaceId, me, body }) {
      const input = { ...body, workspaceId, invitedBy: me.user };
      const { invitation, token } = await createInvitation(deps, input);
      // In the fragment: browsers send it neither to servers nor as a referrer.
      const link = `${deps.settings.publicUrl ?? ""}/join#${token}`;
      const mail = await sendInvitation(deps, { invitation, link, workspaceName: workspace.name });
      return { invitation: toInvitationView(invitation), link, mail };
    },
  }),
  route("DELETE /workspaces/:workspace/invitations/:invitation", {
    access: "owner",
    async handle({ deps, subject }) {
      await withdrawInvitation(deps, subject);
    },
  }),
];

function toInvitationView(invitation: Invitation): InvitationView {
  const { workspaceId: _workspace, invitedById: _inviter, ...shown } = invitation;
  return toJson(shown);
}

/** The result of the e-mail; null without an address or a mail server. */
async function sendInvitation(
  deps: DashboardDeps,
  invited: { invitation: Invitation; link: string; workspaceName: string },
): Promise<{ isSent: boolean; reason: string | null } | null> {
  const { link } = invited;
  const named = plain(invited.workspaceName);
  const { sendMail, log } = deps;
  const { email, invitedBy, role, workspaceId } = invited.invitation;
  if (email === null || email.startsWith("@") || sendMail === null) return null;
  if (!(await mayMailStranger(deps, { workspaceId, address: email }))) {
    const reason = "this address got an e-mail today, or wants none: give the link to its owner";
    return { isSent: false, reason };
  }
  const sent = await sendMail({
    to: email,
    // No words of the workspace: strangers could be made to read them.
    subject: "You are invited to a workspace of Starpost",
    paragraphs: [
      `${plain(invitedBy) ?? "An owner"} invites you to ${named ? `the workspace ${named}` : "a workspace"} as ${role === "owner" ? "an owner" : `a ${role}`}.`,
      "The link works once and for 7 days.",
    ],
    link: { label: "Accept the invitation", url: link },
  });
  if (sent.isSent) return { isSent: true, reason: null };
  log.warn({ reason: sent.reason }, "an invitation could not be sent by e-mail");
  return sent;
}

/** null for a name with an address of the web, which programs for e-mail make a link of. */
function plain(name: string): string | null {
  return /:\/|\w\.\w/.test(name) ? null : name;
}

async function listMemberViews(
  { database }: DashboardDeps,
  { workspace, me }: { workspace: Membership; me: string },
) {
  const members = await database.listMembers(workspace.id);
  return members.map((member) => ({
    ...member,
    // Other members must not learn whom to attack.
    hasSecondFactor: workspace.role === "owner" ? member.hasSecondFactor : null,
    isMe: member.userId === me,
  }));
}
