// E-mails about actions that users should know of, because an attacker with their session or role may have taken them:
// to the user whose account it is, or to the owners of the workspace. Sent after the act; requests don't wait for them.
import type { MemberRole } from "../domain/user.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { listOwnerAddresses } from "../use-cases/accounts/members.ts";
import { noticeSubject, sendNotice } from "../use-cases/service-mail.ts";
import type { DashboardDeps } from "./deps.ts";
import type { ClientInfo, SignedInUser } from "./session/sessions.ts";

/** Each act completes a sentence that begins with who did it, like "removed you as a member". */
export type Notices = {
  /** The signed-in user has a session in a browser that had none before. */
  newBrowser(): void;
  /** To the user who invited. */
  accepted(
    invitation: { invitedById: string; workspaceName: string; role: MemberRole },
    by: { name: string; email: string },
  ): void;
  user(email: string, act: string): void;
  owners(workspace: { id: string; name: string }, act: string): void;
  /** Reviews were assigned; null: none were. Those who assign reviews to themselves know it. */
  assignee(
    workspace: { id: string; name: string },
    assigned: { assignee: { userId: string; email: string }; count: number } | null,
  ): void;
};

type NoticeOptions = { by?: { name: string; email: string } | null; subject?: string };

export function createNotices(
  deps: DashboardDeps,
  { me, client }: { me: SignedInUser | null; client: ClientInfo },
): Notices {
  const { clock, database, log, sendMail, settings } = deps;
  const start = (
    readAddresses: () => Promise<readonly string[]>,
    act: string,
    { by = me?.user ?? null, subject = noticeSubject }: NoticeOptions = {},
  ): void => {
    if (sendMail === null || settings.publicUrl === null) return;
    const at = formatTimestamp(clock.now());
    const actor = by ? `${by.name} (${by.email})` : "The holder of a link";
    const mail = {
      subject,
      paragraphs: [
        `${actor} ${act}.`,
        `At ${at}, from ${client.address || "an unknown address"}, with ${client.browser || "an unknown browser"}.`,
        "If you did not expect this, change your password, end your other sessions, and ask the owners of the workspace.",
      ],
      link: { label: "Open Starpost", url: settings.publicUrl },
    };
    const compose = async () => ({ addresses: await readAddresses(), mail });
    void sendNotice({ log, sendMail }, compose);
  };
  return {
    assignee: (workspace, assigned) => notifyAssignee(deps, { me, workspace, assigned }),
    newBrowser: () =>
      start(
        async () => (me ? [me.user.email] : []),
        "signed in with a browser that has not signed in to this account before",
        { subject: "A new browser signed in to your account" },
      ),
    accepted: ({ invitedById, workspaceName, role }, by) => {
      const readInviter = async () => {
        const inviter = await database.findUser(invitedById);
        return inviter ? [inviter.email] : [];
      };
      const kind = role === "owner" ? "an owner" : `a ${role}`;
      const act = `accepted your invitation to the workspace ${workspaceName} as ${kind}`;
      start(readInviter, act, { by, subject: "Your invitation was accepted" });
    },
    user: (email, act) => start(async () => [email], act),
    owners: (workspace, act) =>
      start(
        () => listOwnerAddresses(database, workspace.id),
        `${act}, in the workspace ${workspace.name}`,
      ),
  };
}

function notifyAssignee(
  { log, sendMail, settings }: DashboardDeps,
  notice: {
    me: SignedInUser | null;
    workspace: Parameters<Notices["assignee"]>[0];
    assigned: Parameters<Notices["assignee"]>[1];
  },
): void {
  const { me, workspace, assigned } = notice;
  if (assigned === null || assigned.assignee.userId === me?.user.id) return;
  if (sendMail === null || settings.publicUrl === null) return;
  const { assignee, count } = assigned;
  const reviews = count === 1 ? "a review" : `${count} reviews`;
  const path = `/w/${workspace.id}/reviews?assignee=${assignee.userId}&status=open`;
  const mail = {
    subject: `${count === 1 ? "A review was" : `${count} reviews were`} assigned to you`,
    paragraphs: [`${me?.user.name} assigned ${reviews} to you in ${workspace.name}.`],
    link: { label: "Show your reviews", url: `${settings.publicUrl}${path}` },
  };
  void sendNotice({ log, sendMail }, async () => ({ addresses: [assignee.email], mail }));
}
