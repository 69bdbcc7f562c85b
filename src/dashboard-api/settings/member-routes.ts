// The members of a workspace and its open invitations.
import type { Invitation, Membership } from "../../domain/people/user.ts";
import {
  inviteMember,
  removeMember,
  setMemberRole,
  withdrawInvitation,
} from "../../operations/member.ts";
import { mayMailStranger } from "../../use-cases/channels/email-recipients.ts";
import type { Invitation as InvitationView } from "../contract/settings.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { show, toJson } from "../show.ts";

export const memberRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/members", {
    access: "viewer",
    async handle({ deps, workspace, me }) {
      return { members: await listMemberViews(deps, { workspace, me: me.user.id }) };
    },
  }),
  operate("PATCH /workspaces/:workspace/members/:user", setMemberRole, async (_, context) => {
    const { deps, workspace, me } = context;
    return { members: await listMemberViews(deps, { workspace, me: me.user.id }) };
  }),
  operate("DELETE /workspaces/:workspace/members/:user", removeMember, async ({ result }) =>
    show(result, ["channels", "keys"]),
  ),
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
  operate("POST /workspaces/:workspace/invitations", inviteMember, async ({ result }, context) => {
    const { deps, workspace } = context;
    const { invitation, token } = result;
    // In the fragment: browsers send it neither to servers nor as a referrer.
    const link = `${deps.settings.publicUrl ?? ""}/join#${token}`;
    const mail = await sendInvitation(deps, { invitation, link, workspaceName: workspace.name });
    return { invitation: toInvitationView(invitation), link, mail };
  }),
  operate("DELETE /workspaces/:workspace/invitations/:invitation", withdrawInvitation),
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
