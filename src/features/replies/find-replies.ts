// Reviews with the workspace's answers to them: their states, the public answer, and why one can't be answered.
import type { z } from "zod";
import type { DatabaseTransaction } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { ReplyState } from "../../domain/review/reply-state.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { replyViewSchema, StoredReply } from "./reply.ts";
import * as statements from "./sql.ts";

/** A review of the workspace as something to answer, whether or not it was. */
export type ReplyRow = {
  /** That of the review. */
  id: string;
  workspaceId: string;
  /** Rises with every change by people. */
  version: number;
  review: FeedReviewRow;
  app: App;
  reply: StoredReply | null;
  publicText: string | null;
  publicAt: Date | null;
};

type Reads = Pick<DatabaseTransaction, "listApps" | "loadFeedReviews" | "with">;

/** Those of the reviews that the workspace sees, in the order of the ids. */
export async function findReplies(
  database: Reads,
  query: { workspaceId: string; ids: readonly string[] },
): Promise<ReplyRow[]> {
  const { workspaceId, ids } = query;
  const apps = await database.listApps({ workspaceId });
  const places = ids.flatMap((id) => apps.map(({ listingId }) => ({ listingId, id })));
  const reviews = await database.loadFeedReviews({ workspaceId, reviews: places });
  const replies = await database.with(statements).listReplies({ workspaceId, reviewIds: ids });
  return ids.flatMap((id) => {
    const review = reviews.find((one) => one.id === id);
    const app = apps.find(({ listingId }) => listingId === review?.listingId);
    if (!review || !app) return [];
    const reply = replies.find(({ reviewId }) => reviewId === id) ?? null;
    const version = reply?.version ?? 0;
    return [{ id, workspaceId, version, review, app, reply, ...publicAnswer(review, reply) }];
  });
}

/** The store's own answer to a question is newer than what a crawl reads: a difference between them makes it be asked again. */
function publicAnswer(review: FeedReviewRow, reply: StoredReply | null) {
  const isRead = reply !== null && reply.checkedAt !== null;
  return isRead
    ? { publicText: reply.storeText, publicAt: reply.storeAt }
    : { publicText: review.replyText, publicAt: review.replyAt };
}

/** Whether a request was sent whose outcome is not known, or is about to be. */
export function isInFlight({ reply }: Pick<ReplyRow, "reply">, now: Date): boolean {
  if (reply?.state !== "sending") return false;
  return reply.attemptedAt !== null || (reply.leaseUntil !== null && reply.leaseUntil > now);
}

export const erasedFault = "The review was erased at its author's request.";

/** Why the review can't be answered at all, in words; null when it can. */
export function findReplyFault({ app, review }: Pick<ReplyRow, "app" | "review">): string | null {
  const { answers, nameInText } = storeTraits[app.store];
  if (answers === null) return `${nameInText} takes no answers through an API.`;
  if (!app.credentialId)
    return `This app is read from public pages, which take no answers. Add ${answers.right} under Settings, then remove the app and add it again with this credential.`;
  if (review.storeReviewId === "") return erasedFault;
  return review.removedAt === null ? null : "The store no longer shows this review.";
}

function stateOf({ review, reply, publicText, publicAt }: ReplyRow): ReplyState {
  const { state = "none", draft = null } = reply ?? {};
  if (state === "published" || state === "waiting") {
    const isEdited = review.editedAt?.getTime() !== reply?.answeredEdit?.getTime();
    return isEdited ? "outdated" : state;
  }
  if (state !== "none" && state !== "elsewhere") return state;
  if (publicText !== null) return publicAt && publicAt < review.date ? "outdated" : "elsewhere";
  return draft === null ? "unanswered" : "draft";
}

export function toReplyView(row: ReplyRow): z.output<typeof replyViewSchema> {
  const { id, app, reply, publicText, publicAt } = row;
  const { answers } = storeTraits[app.store];
  const toTime = (at: Date | null | undefined): string | null => (at ? formatTimestamp(at) : null);
  return {
    id,
    app: app.id,
    state: stateOf(row),
    reason: reply?.reason ?? null,
    draft: reply?.draft ?? null,
    text: reply?.text ?? null,
    author: reply?.author ?? null,
    sentAt: toTime(reply?.sentAt),
    publishedAt: toTime(reply?.publishedAt),
    publicText,
    publicAt: toTime(publicAt),
    fault: findReplyFault(row),
    charactersMax: answers?.charactersMax ?? null,
    canWithdraw: answers?.canWithdraw ?? false,
  };
}
