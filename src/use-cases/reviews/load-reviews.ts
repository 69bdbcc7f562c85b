// Loads reviews by their keys, each with its app and the topics that the workspace defines itself.
import type { Database } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";

/** The same review can be in two listings of an app. */
type ReviewKey = { listingId: string; id: string };

export type LoadedReview<App> = { row: FeedReviewRow; app: App; ownTopics: string[] };

/** In the order of the keys, without reviews that the workspace doesn't have or that were deleted since. */
export async function loadReviews<
  App extends { id: string; listingId: string; hasOwnTopics?: boolean },
>(
  database: Pick<Database, "loadFeedReviews" | "listOwnTopicsOfReviews">,
  query: { workspaceId: string; apps: readonly App[]; keys: readonly ReviewKey[] },
): Promise<LoadedReview<App>[]> {
  const { workspaceId, apps, keys } = query;
  const loaded = await database.loadFeedReviews({ workspaceId, reviews: keys });
  const rows = new Map(loaded.map((row) => [keyOf(row), row]));
  const reviewIds = loaded.map(({ id }) => id);
  const topics = apps.some(({ hasOwnTopics }) => hasOwnTopics !== false)
    ? await database.listOwnTopicsOfReviews({ workspaceId, reviewIds })
    : [];
  return keys.flatMap((key) => {
    const row = rows.get(keyOf(key));
    const app = apps.find(({ listingId }) => listingId === key.listingId);
    if (!row || !app) return [];
    const own = topics.filter(({ appId, reviewId }) => appId === app.id && reviewId === row.id);
    return [{ row, app, ownTopics: own.map(({ topic }) => topic) }];
  });
}

function keyOf({ listingId, id }: ReviewKey): string {
  return `${listingId} ${id}`;
}
