// The topics that workspaces define themselves, found in new and edited reviews in the transaction that saves them.

import {
  type LabelRepository,
  type LabelReviews,
  type LabelsOf,
  noLabels,
} from "../../database/labelers.ts";
import type { Review } from "../../domain/review/review.ts";
import { groupBy } from "../../lib/group-by.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { OverBudgetError, runApart } from "../../lib/work-pool.ts";
import { findOwnTopics as findTopics, ownTopicsModule, toReadText } from "./match-phrases.ts";
import type { ListingTopic } from "./own-topic.ts";
import * as statements from "./sql.ts";

/** The listing is locked: no other transaction saves matches in these reviews. */
export const findOwnTopics: LabelReviews = async (tx, input) => {
  const reviews = input.changes
    .filter(({ kind }) => kind === "new" || kind === "edited")
    .map(({ after }) => after);
  if (reviews.length === 0) return noLabels;
  const topics = await tx.with(statements).lockTopicsOfListing(input.listingId);
  if (topics.length === 0) return noLabels;
  return saveOwnTopics(tx, { topics, reviews });
};

/** Looks for the topics in the reviews, and saves which have which. */
export async function saveOwnTopics(
  tx: LabelRepository,
  input: { topics: readonly ListingTopic[]; reviews: readonly Review[] },
): Promise<LabelsOf> {
  const { reviews } = input;
  const topicsOf = tx.with(statements);
  const { topics, foundIds } = await findApart(tx, input);
  const ticks = new Map(
    (
      await topicsOf.listTicksOfReviews({
        appIds: topics.map(({ appId }) => appId),
        reviewIds: reviews.map(({ id }) => id),
      })
    ).map(({ topicId, reviewId, isRight }) => [`${topicId} ${reviewId}`, isRight]),
  );
  const found: { topic: ListingTopic; review: Review }[] = [];
  for (const [index, review] of reviews.entries()) {
    // A person's tick overrides the phrases.
    const hasTopic = (id: string): boolean =>
      ticks.get(`${id} ${review.id}`) ?? foundIds[index]?.has(id) ?? false;
    found.push(...topics.flatMap((topic) => (hasTopic(topic.id) ? [{ topic, review }] : [])));
  }
  await topicsOf.saveOwnTopicReviews({
    topics: topics.map(({ id, appId }) => ({ topicId: id, appId })),
    reviews,
    found: found.map(({ topic, review }) => ({ topicId: topic.id, appId: topic.appId, review })),
  });
  const byKey = groupBy(found, ({ topic, review }) => keyOf(review, { id: topic.appId }));
  return (review, app) => byKey.get(keyOf(review, app))?.map(({ topic }) => topic.name) ?? [];
}

/** The limit for one page or batch of reviews. Only phrases that were built for it need more. */
const busyMsMax = 2 * secondMs;

/**
 * Ids of the topics of each review, and the topics that were looked for: those of a workspace whose phrases take too
 * much work rest for an hour, and the reviews are read for them again afterwards.
 */
async function findApart(
  tx: LabelRepository,
  input: { topics: readonly ListingTopic[]; reviews: readonly Review[] },
): Promise<{ topics: ListingTopic[]; foundIds: Set<string>[] }> {
  const texts = input.reviews.map(toReadText);
  const topics: ListingTopic[] = [];
  const foundIds = texts.map(() => new Set<string>());
  const work = { module: ownTopicsModule, run: findTopics };
  for (const owner of new Set(input.topics.map(({ workspaceId }) => workspaceId))) {
    const ofOwner = input.topics.filter(({ workspaceId }) => workspaceId === owner);
    try {
      const found = await runApart(work, [ofOwner, texts], { busyMs: busyMsMax, owner });
      for (const [index, ids] of found.entries()) for (const id of ids) foundIds[index]?.add(id);
      topics.push(...ofOwner);
    } catch (error) {
      if (!(error instanceof OverBudgetError)) throw error;
      await tx.with(statements).restOwnTopics({ topicIds: ofOwner.map(({ id }) => id) });
    }
  }
  return { topics, foundIds };
}

function keyOf(review: { id: string }, app: { id: string }): string {
  return `${review.id}/${app.id}`;
}
