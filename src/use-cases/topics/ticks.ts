// Ticks on reviews of an own topic: right or wrong. Each holds for its review at once, and teaches the topic.
import { findPhraseWords } from "../../analysis/own-topics.ts";
import type { Database } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import { AppError } from "../../domain/error.ts";
import { ownTopicLimits } from "../../domain/own-topic.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { lockApp } from "../apps/apps.ts";
import type { ActDeps } from "../audit.ts";
import { requireOwnTopic } from "./own-topics.ts";

/** Reviews to tick next, the newest without a tick. */
export async function listReviewsToTick(
  database: Pick<Database, "findOwnTopic" | "listUntickedReviews" | "loadFeedReviews">,
  query: { workspaceId: string; topic: string },
): Promise<{ review: FeedReviewRow; words: string[] }[]> {
  const { workspaceId } = query;
  const { id: topicId, phrases } = await requireOwnTopic(database, query);
  const found = await database.listUntickedReviews({ workspaceId, topicId, limit: shownMax });
  const loaded = await database.loadFeedReviews({ workspaceId, reviews: found });
  const rows = new Map(loaded.map((row) => [row.id, row]));
  const findWords = findPhraseWords(phrases);
  return found.flatMap(({ id }) => {
    const review = rows.get(id);
    return review ? [{ review, words: findWords(review) }] : [];
  });
}

const shownMax = 10;

/** @throws AppError `not_found` for the topic, the app or the review */
export async function tickReview(
  deps: ActDeps<"notify">,
  tick: { workspaceId: string; topic: string; appId: string; reviewId: string; isRight: boolean },
): Promise<void> {
  const { workspaceId, appId, reviewId, isRight } = tick;
  await deps.database.transaction(async (tx) => {
    // As in ingest: what the review has changes under the listing's lock.
    const { app } = await lockApp(tx, { id: appId, workspaceId });
    const { id: topicId } = await requireOwnTopic(tx, tick);
    const { listingId } = app;
    // The workspace sees only the regions that it follows of a public listing.
    const seen = await tx.loadFeedReviews({ workspaceId, reviews: [{ listingId, id: reviewId }] });
    const [review] = await tx.loadReviews({ listingId, ids: seen.map(({ id }) => id) });
    if (!review) throw notFound("review", reviewId);
    const counted = await tx.countTicks({ workspaceId });
    const ticks = counted.find((one) => one.topicId === topicId);
    const { ticksMax } = ownTopicLimits;
    if (ticks && ticks.rightCount + ticks.wrongCount >= ticksMax)
      throw new AppError("conflict", `a topic takes at most ${ticksMax} ticks`);
    const now = deps.clock.now();
    const topic = { topicId, appId };
    await tx.saveTick({ ...topic, reviewId, isRight, userId: deps.actor, now });
    const found = isRight ? [{ ...topic, review }] : [];
    await tx.saveOwnTopicReviews({ topics: [topic], reviews: [review], found });
  });
  await deps.database.notify("topics");
}
