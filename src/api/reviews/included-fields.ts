// Fields of reviews beyond the contract's, from the rows that the dashboard shows as well.

import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import { storeReviewUrl } from "../../domain/store-traits.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { IncludedFields } from "../contract.ts";
import type { EndpointRequest } from "../endpoint.ts";

export type DetailedReview = { row: FeedReviewRow; app: FollowedApp; fields: IncludedFields };

/** Those of the reviews that the workspace has, by `keyOf`. */
export async function loadDetails(
  {
    database,
    workspaceId,
    apps,
  }: Pick<EndpointRequest<unknown>, "database" | "workspaceId" | "apps">,
  reviews: readonly { listingId: string; id: string }[],
): Promise<Map<string, DetailedReview>> {
  const rows = await database.loadFeedReviews({ workspaceId, reviews });
  const reviewIds = rows.map(({ id }) => id);
  const ownTopics = apps.some(({ hasOwnTopics }) => hasOwnTopics)
    ? await database.listOwnTopicsOfReviews({ workspaceId, reviewIds })
    : [];
  return new Map(
    rows.flatMap((row) => {
      const app = apps.find(({ listingId }) => listingId === row.listingId);
      if (!app) return [];
      const own = ownTopics.filter(
        ({ appId, reviewId }) => appId === app.id && reviewId === row.id,
      );
      const fields = toFields(
        row,
        app,
        own.map(({ topic }) => topic),
      );
      return [[keyOf(row), { row, app, fields }]];
    }),
  );
}

/** Two listings of an app have the same reviews. */
export function keyOf({ listingId, id }: { listingId: string; id: string }): string {
  return `${listingId} ${id}`;
}

function toFields(row: FeedReviewRow, app: FollowedApp, ownTopics: string[]): IncludedFields {
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
