// What a topic would find: its phrases on the newest reviews of a workspace, before it exists.
import { findPhraseWords } from "../../analysis/own-topics.ts";
import type { Database } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/read-models/review-feed.ts";
import { phrasesSchema } from "../../domain/own-topic.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { createTurns } from "../../lib/turns.ts";

export type TopicPreview = {
  /** Reviews that were read, the newest ones, and how many of them the phrases find. */
  readCount: number;
  matchCount: number;
  /** The newest of them. */
  samples: { review: FeedReviewRow; words: string[] }[];
};

const readMax = 1_000;
const sampleMax = 10;

/** @throws AppError `invalid_input` */
export async function previewOwnTopic(
  database: Pick<Database, "listFollowedApps" | "loadFeedReviews" | "searchReviews">,
  input: { workspaceId: string; phrases: readonly string[] },
): Promise<TopicPreview> {
  const { workspaceId } = input;
  const phrases = parseField(phrasesSchema, { field: "phrases", value: input.phrases });
  const apps = await database.listFollowedApps({ workspaceId, ids: null });
  const { found } = await database.searchReviews({
    filters: { workspaceId, apps },
    ...{ after: null, limit: readMax, scanMax: readMax },
  });
  const loaded = await database.loadFeedReviews({ workspaceId, reviews: found });
  const rows = new Map(loaded.map((row) => [`${row.listingId} ${row.id}`, row]));
  const findWords = findPhraseWords(phrases);
  const takeTurn = createTurns();
  const matches: TopicPreview["samples"] = [];
  for (const { listingId, id } of found) {
    const review = rows.get(`${listingId} ${id}`);
    const words = review ? findWords(review) : [];
    if (review && words.length > 0) matches.push({ review, words });
    await takeTurn();
  }
  return {
    readCount: loaded.length,
    matchCount: matches.length,
    samples: matches.slice(0, sampleMax),
  };
}
