// The topics that workspaces define themselves, found in new and edited reviews in the transaction that saves them.
import type { OwnTopicFinder } from "../analysis/own-topics.ts";
import type { App } from "../domain/listing.ts";
import type { ListingTopic } from "../domain/own-topic.ts";
import type { Review } from "../domain/review.ts";
import type { ReviewChange } from "../domain/review-change.ts";
import { createTurns } from "../lib/turns.ts";
import type { ReviewRepository } from "./ingest-batch.ts";

/** Names of the own topics that a review has for the workspace of an app. */
export type OwnTopicsOf = (review: Pick<Review, "id">, app: Pick<App, "id">) => readonly string[];

type Repository = Pick<
  ReviewRepository,
  "lockTopicsOfListing" | "listTicksOfReviews" | "saveOwnTopicReviews"
>;

/** The listing is locked: nobody else saves what is found in these reviews. */
export async function findOwnTopics(
  tx: Repository,
  input: { listingId: string; changes: readonly ReviewChange[]; finder: OwnTopicFinder },
): Promise<OwnTopicsOf> {
  const reviews = input.changes
    .filter(({ kind }) => kind === "new" || kind === "edited")
    .map(({ after }) => after);
  if (reviews.length === 0) return none;
  const topics = await tx.lockTopicsOfListing(input.listingId);
  if (topics.length === 0) return none;
  return saveOwnTopics(tx, { topics, reviews, finder: input.finder });
}

/** Looks for the topics in the reviews, and saves which have which. */
export async function saveOwnTopics(
  tx: Pick<Repository, "listTicksOfReviews" | "saveOwnTopicReviews">,
  input: {
    topics: readonly ListingTopic[];
    reviews: readonly Review[];
    finder: OwnTopicFinder;
  },
): Promise<OwnTopicsOf> {
  const { topics, reviews, finder } = input;
  const ticks = new Map(
    (
      await tx.listTicksOfReviews({
        appIds: topics.map(({ appId }) => appId),
        reviewIds: reviews.map(({ id }) => id),
      })
    ).map(({ topicId, reviewId, isRight }) => [`${topicId} ${reviewId}`, isRight]),
  );
  const found: { topic: ListingTopic; review: Review }[] = [];
  const takeTurn = createTurns();
  for (const review of reviews) {
    const ids = finder.find(topics, review);
    // A person's tick overrides the phrases.
    const hasTopic = (id: string): boolean => ticks.get(`${id} ${review.id}`) ?? ids.has(id);
    found.push(...topics.flatMap((topic) => (hasTopic(topic.id) ? [{ topic, review }] : [])));
    await takeTurn();
  }
  await tx.saveOwnTopicReviews({
    topics: topics.map(({ id, appId }) => ({ topicId: id, appId })),
    reviews,
    found: found.map(({ topic, review }) => ({ topicId: topic.id, appId: topic.appId, review })),
  });
  const names = new Map<string, string[]>();
  for (const { topic, review } of found) {
    const key = keyOf(review, { id: topic.appId });
    names.set(key, [...(names.get(key) ?? []), topic.name]);
  }
  return (review, app) => names.get(keyOf(review, app)) ?? [];
}

const none: OwnTopicsOf = () => [];

function keyOf(review: { id: string }, app: { id: string }): string {
  return `${review.id}/${app.id}`;
}
