// E-mails about actions that users should know of, because an attacker with their session may have taken them:
// to the user whose account it is, or to the owners of the workspace. Sent after the act; requests don't wait for them.
import type { Review } from "../domain/review.ts";
import { cutLine, drawStars, toReviewLine } from "../domain/review-line.ts";
import type { MemberRole } from "../domain/user.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import type { Assigned } from "../use-cases/reviews/review-work.ts";
import { sendNotice, subjectLengthMax } from "../use-cases/service-mail.ts";
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
  /** Some of the reviews were assigned; null: none were. Those who assign reviews to themselves know it. */
  assignee(
    workspace: NoticeWorkspace,
    assigned: Assigned | null,
    reviews: readonly AssignableReview[],
  ): void;
};

type NoticeWorkspace = { id: string; name: string };
export type AssignableReview = Pick<Review, "id" | "rating" | "title" | "text"> & {
  app: { id: string; name: string };
};

/** In one e-mail. */
const quotesMax = 3;
const quoteLengthMax = 400;

type NoticeOptions = { by?: { name: string; email: string } | null; subject?: string };

export function createNotices(
  deps: DashboardDeps,
  { me, client }: { me: SignedInUser | null; client: ClientInfo },
): Notices {
  const { clock, database, log, sendMail, settings } = deps;
  const start = (
    readAddresses: () => Promise<readonly string[]>,
    act: string,
    { by = me?.user ?? null, subject }: NoticeOptions = {},
  ): void => {
    if (sendMail === null || settings.publicUrl === null) return;
    const at = formatTimestamp(clock.now());
    const actor = by ? `${by.name} (${by.email})` : "The holder of a link";
    const mail = {
      subject: subject ?? cutLine(`${by?.name ?? "The holder of a link"} ${act}`, subjectLengthMax),
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
    assignee: (workspace, assigned, reviews) => {
      if (assigned && assigned.assignee.userId !== me?.user.id)
        notifyAssignee(deps, { by: me?.user.name ?? "", workspace, assigned, reviews });
    },
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

function notifyAssignee(
  { log, sendMail, settings }: DashboardDeps,
  notice: {
    by: string;
    workspace: NoticeWorkspace;
    assigned: Assigned;
    reviews: readonly AssignableReview[];
  },
): void {
  const { by, workspace, assigned } = notice;
  if (sendMail === null || settings.publicUrl === null) return;
  const { assignee, reviewIds } = assigned;
  const reviews = notice.reviews.filter(({ id }) => reviewIds.includes(id));
  const [first] = reviews;
  const isOne = reviews.length === 1;
  const count = `${reviews.length} reviews`;
  const rest = reviews.length - quotesMax;
  const path = isOne
    ? `/${first?.app.id}/${first?.id}`
    : `?assignee=${assignee.userId}&status=open`;
  const mail = {
    subject: isOne ? "A review was assigned to you" : `${count} were assigned to you`,
    paragraphs: [
      `${by} assigned ${isOne ? "a review" : count} to you in ${workspace.name}.`,
      ...reviews.slice(0, quotesMax).map(quote),
      ...(rest > 0 ? [`And ${rest} more.`] : []),
    ],
    link: {
      label: isOne ? "Open the review" : "Show your reviews",
      url: `${settings.publicUrl}/w/${workspace.id}/reviews${path}`,
    },
  };
  void sendNotice({ log, sendMail }, async () => ({ addresses: [assignee.email], mail }));
}

function quote({ app, rating, ...review }: AssignableReview): string {
  return `${drawStars(rating)} ${app.name}: ${toReviewLine(review, quoteLengthMax)}`;
}
