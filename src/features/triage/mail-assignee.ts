// An e-mail to the member whom reviews were assigned to. Sent after the commit; requests don't wait for it.
import { drawStars, toReviewLine } from "../../domain/review/review-line.ts";
import { toAuthor } from "../../operations/notices.ts";
import type { AfterContext } from "../../operations/operation.ts";
import { sendNotice } from "../../use-cases/service-mail.ts";
import type { WorkedReview } from "./read-work.ts";

/** In one e-mail. */
const quotesMax = 3;
const quoteLengthMax = 400;

/** The reviews have one new assignee. People who assign reviews to themselves know it. */
export async function mailAssignee(
  { deps, actor, workspaceId }: AfterContext,
  reviews: readonly WorkedReview[],
): Promise<void> {
  const { database, log, sendMail, settings } = deps;
  const [first] = reviews;
  if (sendMail === null || settings.publicUrl === null || !first?.assignee) return;
  const { userId } = first.assignee;
  if (actor.kind === "user" && actor.user.id === userId) return;
  const isOne = reviews.length === 1;
  const count = `${reviews.length} reviews`;
  const rest = reviews.length - quotesMax;
  const path = isOne ? `/${first.app.id}/${first.id}` : `?assignee=${userId}&status=open`;
  const link = {
    label: isOne ? "Open the review" : "Show your reviews",
    url: `${settings.publicUrl}/w/${workspaceId}/reviews${path}`,
  };
  void sendNotice({ log, sendMail }, async () => {
    const assignee = await database.findUser(userId);
    const workspace = await database.findWorkspace(workspaceId);
    const assigned = `assigned ${isOne ? "a review" : count} to you in ${workspace?.name}`;
    return {
      addresses: assignee ? [assignee.email] : [],
      mail: {
        subject: isOne ? "A review was assigned to you" : `${count} were assigned to you`,
        paragraphs: [
          `${toAuthor(actor).name} ${assigned}.`,
          ...reviews.slice(0, quotesMax).map(quote),
          ...(rest > 0 ? [`And ${rest} more.`] : []),
        ],
        link,
      },
    };
  });
}

function quote({ app, rating, ...review }: WorkedReview): string {
  return `${drawStars(rating)} ${app.name}: ${toReviewLine(review, quoteLengthMax)}`;
}
