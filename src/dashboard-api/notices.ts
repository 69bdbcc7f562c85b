// E-mails about actions that users should know of, because an attacker with their session or role may have taken them:
// to the user whose account it is, or to the owners of the workspace. Sent after the act; requests don't wait for them.
import { formatTimestamp } from "../lib/timestamp.ts";
import type { DashboardDeps } from "./deps.ts";
import type { ClientInfo, SignedInUser } from "./session/sessions.ts";

/** Each act completes a sentence that begins with who did it, like "removed you as a member". */
export type Notices = {
  user(email: string, act: string): void;
  owners(workspace: { id: string; name: string }, act: string): void;
  /** Reviews were assigned; null: none were. Those who assign reviews to themselves know it. */
  assignee(
    workspace: { id: string; name: string },
    assigned: { assignee: { userId: string; email: string }; count: number } | null,
  ): void;
};

const ownersMax = 20;

export function createNotices(
  deps: DashboardDeps,
  { me, client }: { me: SignedInUser | null; client: ClientInfo },
): Notices {
  const { clock, database, log, sendMail, settings } = deps;
  const send = async (readAddresses: () => Promise<readonly string[]>, act: string) => {
    if (sendMail === null || settings.publicUrl === null) return;
    const at = formatTimestamp(clock.now());
    const actor = me ? `${me.user.name} (${me.user.email})` : "The holder of a link";
    const mail = {
      subject: "A change that you should know of",
      paragraphs: [
        `${actor} ${act}.`,
        `At ${at}, from ${client.address || "an unknown address"}, with ${client.browser || "an unknown browser"}.`,
        "If you did not expect this, change your password, end your other sessions, and ask the owners of the workspace.",
      ],
      link: { label: "Open Starpost", url: settings.publicUrl },
    };
    for (const to of await readAddresses()) {
      const sent = await sendMail({ ...mail, to });
      if (!sent.isSent) log.warn({ reason: sent.reason }, "a notice could not be sent by e-mail");
    }
  };
  const notifyAssignee: Notices["assignee"] = (workspace, assigned) => {
    if (assigned === null || assigned.assignee.userId === me?.user.id) return;
    if (sendMail === null || settings.publicUrl === null) return;
    const { assignee, count } = assigned;
    const reviews = count === 1 ? "a review" : `${count} reviews`;
    const path = `/w/${workspace.id}/reviews?assignee=${assignee.userId}&status=open`;
    const mail = {
      to: assignee.email,
      subject: `${count === 1 ? "A review was" : `${count} reviews were`} assigned to you`,
      paragraphs: [`${me?.user.name} assigned ${reviews} to you in ${workspace.name}.`],
      link: { label: "Show your reviews", url: `${settings.publicUrl}${path}` },
    };
    sendMail(mail).then(
      (sent) => {
        if (!sent.isSent) log.warn({ reason: sent.reason }, "an assignee got no e-mail");
      },
      (error: unknown) => log.warn({ reason: String(error) }, "an assignee got no e-mail"),
    );
  };
  const start = (...parameters: Parameters<typeof send>): void => {
    void send(...parameters).catch((error: unknown) =>
      log.warn({ reason: String(error) }, "a notice could not be sent by e-mail"),
    );
  };
  return {
    assignee: notifyAssignee,
    user: (email, act) => start(async () => [email], act),
    owners: (workspace, act) =>
      start(async () => {
        const members = await database.listMembers(workspace.id);
        const owners = members.filter(({ role }) => role === "owner");
        return owners.slice(0, ownersMax).map(({ email }) => email);
      }, `${act}, in the workspace ${workspace.name}`),
  };
}
