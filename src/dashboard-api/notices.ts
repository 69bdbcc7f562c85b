// E-mails about actions on an account that its user should know of, because an attacker with their session may have taken them.
import type { MemberRole } from "../domain/people/user.ts";
import { mailAct } from "../operations/notices.ts";
import type { DashboardDeps } from "./deps.ts";
import type { ClientInfo, SignedInUser } from "./session/sessions.ts";

/** Each act completes a sentence that begins with the person who acted, like "removed you as a member". */
export type Notices = {
  /** The signed-in user has a session in a browser that had none before. */
  newBrowser(): void;
  /** To the user who invited. */
  accepted(
    invitation: { invitedById: string; workspaceName: string; role: MemberRole },
    by: { name: string; email: string },
  ): void;
  user(email: string, act: string): void;
};

type NoticeOptions = { by?: { name: string; email?: string }; subject?: string };

export function createNotices(
  deps: DashboardDeps,
  { me, client }: { me: SignedInUser | null; client: ClientInfo },
): Notices {
  const { clock, database } = deps;
  const start = (
    readAddresses: () => Promise<readonly string[]>,
    act: string,
    { by = me?.user ?? { name: "The holder of a link" }, ...subject }: NoticeOptions = {},
  ): void => {
    const notice = { act, by, client, at: clock.now(), ...subject };
    mailAct(deps, notice, async () => ({ addresses: await readAddresses() }));
  };
  return {
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
  };
}
