// Exports all reviews of an app with everything that is stored of them, batch by batch in the order of
// their ids: memory use does not depend on their number. A batch is read when the one before it was written, so that
// a review that is erased meanwhile is not in the rest.
import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type Review, type ReviewVersion, regionOf } from "../../domain/review/review.ts";
import { toReviewJson, toVersionJson } from "../../domain/review/review-json.ts";
import { groupBy } from "../../lib/group-by.ts";
import { readBatches } from "../../lib/read-batches.ts";
import { type Day, dayOf, formatTimestamp } from "../../lib/timestamp.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { watchApps } from "../../use-cases/apps/watch-apps.ts";

export type ExportedReview = ReturnType<typeof toExported>;

const batchSize = 500;

/**
 * Batches of reviews; write each at once.
 *
 * @throws AppError `invalid_input`, `not_found`, or `conflict` when the app was removed or moved meanwhile
 */
export async function* exportReviews(
  database: Pick<
    Database,
    "findApp" | "listApps" | "listOwnTopicsOfReviews" | "listReviewsById" | "loadReviewVersions"
  >,
  query: {
    appId: string;
    workspaceId: string | null;
    /** Regions of the listing; all by default. */
    regions?: readonly string[] | null;
    /** UTC days of the reviews' dates, both inclusive. */
    from?: Day | undefined;
    to?: Day | undefined;
  },
): AsyncGenerator<ExportedReview[]> {
  const { appId: id, workspaceId, regions = null, from, to } = query;
  const app = await requireApp(database, { id, workspaceId });
  const assertUnmoved = await watchApps(database, app.workspaceId, [app]);
  const { listingId } = app;
  const batches = readBatches(batchSize, (last: Review | null) =>
    database.listReviewsById({ listingId, afterId: last?.id ?? null, limit: batchSize }),
  );
  for await (const reviews of batches) {
    const reviewIds = reviews.map((review) => review.id);
    const versions = await database.loadReviewVersions({ listingId, reviewIds });
    const owned = { workspaceId: app.workspaceId, reviewIds };
    const topics = await database.listOwnTopicsOfReviews(owned);
    const ownTopics = topics.filter((one) => one.appId === app.id);
    const versionsOf = groupBy(versions, ({ reviewId }) => reviewId);
    const topicsOf = groupBy(ownTopics, ({ reviewId }) => reviewId);
    await assertUnmoved();
    const chosen = reviews.filter(
      (one) =>
        (regions === null || regions.includes(regionOf(one))) &&
        (from === undefined || dayOf(one.date) >= from) &&
        (to === undefined || dayOf(one.date) <= to),
    );
    yield chosen.map((review) => {
      const own = (topicsOf.get(review.id) ?? []).map(({ topic }) => topic).sort();
      return toExported(app, {
        review,
        ownTopics: own,
        versions: versionsOf.get(review.id) ?? [],
      });
    });
  }
}

/** The read API's fields, and those of `Review` for the owner of the data; `topics` includes the workspace's own. */
function toExported(
  app: App,
  found: { review: Review; ownTopics: string[]; versions: readonly ReviewVersion[] },
) {
  const { review, ownTopics, versions } = found;
  const sentiment = review.analysis?.sentiment ?? null;
  return {
    id: review.id,
    store: app.store,
    externalAppId: app.externalAppId,
    ...toReviewJson({
      ...review,
      translatedText: review.translation?.text ?? null,
      translatedFrom: review.translation?.from ?? null,
      sentiment: sentiment?.label ?? null,
      sentimentScore: sentiment?.score ?? null,
    }),
    topics: [...new Set([...(review.analysis?.topics ?? []), ...ownTopics])].sort(),
    ownTopics,
    storeId: review.storeReviewId,
    language: review.analysis?.language ?? null,
    languageHint: review.languageHint,
    analysisVersion: review.analysis?.version ?? null,
    analysisProvider: review.analysis?.provider ?? null,
    votes: review.votes,
    clauseMin: sentiment?.clauseMin ?? null,
    clauseMax: sentiment?.clauseMax ?? null,
    topicScores: scoresByTopic(review),
    device: review.device ?? null,
    osVersion: review.osVersion ?? null,
    submittedAt: review.submittedAt ? formatTimestamp(review.submittedAt) : null,
    firstSeenAt: formatTimestamp(review.firstSeenAt),
    editedAt: review.editedAt ? formatTimestamp(review.editedAt) : null,
    isDateAssumed: review.isDateAssumed,
    isListed: review.isListed ?? false,
    removedAt: review.removedAt ? formatTimestamp(review.removedAt) : null,
    replyText: review.reply?.text ?? null,
    replyDate: review.reply?.at ? formatTimestamp(review.reply.at) : null,
    versions: versions.map(toVersionJson),
  };
}

function scoresByTopic({ analysis }: Review): Record<string, number> | null {
  const scores = analysis?.topicScores;
  if (scores === undefined) return null;
  return Object.fromEntries(analysis?.topics.map((topic, at) => [topic, scores[at] ?? 0]) ?? []);
}
