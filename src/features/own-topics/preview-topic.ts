// The matches that a topic would have: its phrases on the newest reviews of a workspace, before it exists.

import type { Database } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { OverBudgetError, runApart } from "../../lib/work-pool.ts";
import { ownTopicsModule, previewPhrases, toReadText } from "./match-phrases.ts";
import { phrasesSchema } from "./own-topic.ts";

export type TopicPreview = {
  /** Reviews that were read, the newest ones, and how many of them the phrases find. */
  readCount: number;
  matchCount: number;
  /** How many of them each phrase finds, in the order of the phrases; none for an exclusion. */
  phraseCounts: { phrase: string; count: number }[];
  /** The newest of them. */
  samples: { review: FeedReviewRow; words: string[] }[];
};

const readMax = 1_000;
const sampleMax = 10;

/** @throws AppError `invalid_input` */
export async function previewOwnTopic(
  database: Pick<Database, "listFollowedApps" | "listReviewKeys" | "loadFeedReviews">,
  input: { workspaceId: string; phrases: readonly string[] },
): Promise<TopicPreview> {
  const { workspaceId } = input;
  const phrases = parseField(phrasesSchema, { field: "phrases", value: input.phrases });
  const apps = await database.listFollowedApps({ workspaceId, ids: null });
  const newest = { filters: {}, after: null, limit: readMax, scanMax: readMax };
  const { keys } = await database.listReviewKeys({ workspaceId, apps, ...newest });
  const loaded = await database.loadFeedReviews({ workspaceId, reviews: keys });
  const rows = new Map(loaded.map((row) => [`${row.listingId} ${row.id}`, row]));
  const reviews = keys.flatMap(({ listingId, id }) => rows.get(`${listingId} ${id}`) ?? []);
  const { words, phraseCounts } = await findWordsApart({ workspaceId, phrases, reviews });
  const matches = reviews
    .map((review, index) => ({ review, words: words[index] ?? [] }))
    .filter((match) => match.words.length > 0);
  return {
    readCount: loaded.length,
    matchCount: matches.length,
    phraseCounts: phrases.map((phrase, index) => ({ phrase, count: phraseCounts[index] ?? 0 })),
    samples: matches.slice(0, sampleMax),
  };
}

// Ten times as long as a thousand long reviews take.
const busyMsMax = secondMs;

async function findWordsApart(input: {
  workspaceId: string;
  phrases: readonly string[];
  reviews: readonly FeedReviewRow[];
}): Promise<ReturnType<typeof previewPhrases>> {
  const texts = input.reviews.map(toReadText);
  const work = { module: ownTopicsModule, run: previewPhrases };
  const budget = { busyMs: busyMsMax, owner: input.workspaceId };
  try {
    return await runApart(work, [input.phrases, texts], budget);
  } catch (error) {
    if (!(error instanceof OverBudgetError)) throw error;
    return failField("phrases", `take too much work: ${error.message}; use fewer of them`);
  }
}
