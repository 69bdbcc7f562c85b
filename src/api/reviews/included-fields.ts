// Fields of reviews beyond the contract's, from the rows that the dashboard shows as well.

import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import { storeReviewUrl } from "../../domain/store/store-traits.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { LoadedReview } from "../../use-cases/reviews/load-reviews.ts";
import type { IncludedFields } from "../contract.ts";

export function toIncludedFields({
  row,
  app,
  ownTopics,
}: LoadedReview<FollowedApp>): IncludedFields {
  const { replyText, replyAt, editedAt, removedAt, topics, topicScores } = row;
  const { store, externalAppId } = app;
  // An erased review has lost the store's id, which every other review has: see erase-review.ts.
  const isErased = row.storeReviewId === "";
  return {
    reply: replyText === null ? null : { text: replyText, at: replyAt && formatTimestamp(replyAt) },
    language: row.language,
    editedAt: editedAt && formatTimestamp(editedAt),
    removedAt: removedAt && formatTimestamp(removedAt),
    removed: isErased ? "erased" : removedAt && "by_store",
    device: row.device,
    votes: row.votes,
    storeId: row.storeReviewId,
    url: storeReviewUrl({ store, externalAppId, country: row.country }, row),
    ownTopics,
    opinions:
      topicScores && Object.fromEntries(topics.map((topic, at) => [topic, topicScores[at] ?? 0])),
  };
}
