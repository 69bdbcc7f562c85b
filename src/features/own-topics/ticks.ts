// Reviews of an own topic that people may tick next, as right or wrong.

import type { Database } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import { requireOwnTopic } from "./list-topics.ts";
import { findPhraseWords } from "./match-phrases.ts";
import * as statements from "./sql.ts";

/** Reviews to tick next, the newest without a tick. */
export async function listReviewsToTick(
  database: Pick<Database, "loadFeedReviews" | "with">,
  query: { workspaceId: string; topic: string },
): Promise<{ review: FeedReviewRow; words: string[] }[]> {
  const { workspaceId } = query;
  const { id: topicId, phrases } = await requireOwnTopic(database, query);
  const found = await database
    .with(statements)
    .listUntickedReviews({ workspaceId, topicId, limit: shownMax });
  const loaded = await database.loadFeedReviews({ workspaceId, reviews: found });
  const rows = new Map(loaded.map((row) => [row.id, row]));
  const findWords = findPhraseWords(phrases);
  return found.flatMap(({ id }) => {
    const review = rows.get(id);
    return review ? [{ review, words: findWords(review) }] : [];
  });
}

const shownMax = 10;
