// States of a workspace's answer to a review, and what the filter `reply` calls answered. database/reviews/review-filters.ts
// has the same rule in SQL.

import type { Review } from "./review.ts";

/** `none`: nothing was sent. */
export type StoredReplyState =
  | "none"
  | "sending"
  | "waiting"
  | "published"
  | "refused"
  | "withdrawn"
  | "elsewhere";

export const replyStates = [
  "unanswered",
  "draft",
  "sending",
  "waiting",
  "published",
  "refused",
  "outdated",
  "withdrawn",
  "elsewhere",
] as const;
export type ReplyState = (typeof replyStates)[number];

export const replyFilterValues = ["unanswered", "answered", "outdated"] as const;

/** By the store's dates, for a review that the workspace did not answer through Starpost. */
export function isReplyOutdated({ reply, date }: Pick<Review, "reply" | "date">): boolean {
  return reply !== null && reply.at !== null && reply.at < date;
}
