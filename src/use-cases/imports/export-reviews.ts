// Exports all reviews of an app with everything that is stored of them, batch by batch in the order of
// their ids: memory use does not depend on their number. A batch is read when the one before it was written, so that
// a review that is erased meanwhile is not in the rest.
import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/listing.ts";
import { type Review, type ReviewVersion, regionOf } from "../../domain/review.ts";
import {
  type ReviewJson,
  toReviewJson,
  toVersionJson,
  type VersionJson,
} from "../../domain/review-json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { requireApp } from "../apps/apps.ts";

/** The read API's fields, and more for the owner of the data. Times are ISO 8601 in UTC. */
export type ExportedReview = ReviewJson & {
  id: string;
  store: string;
  externalAppId: string;
  topics: string[];
  /** Those of the topics that the workspace defines itself. */
  ownTopics: string[];
  /** The store's own id of the review. */
  storeId: string;
  language: string | null;
  /** The language that the source names; on Google Play the list that it was read from. */
  languageHint: string | null;
  analysisVersion: number | null;
  /** The provider that gave sentiment and topics; null for the built-in engine. */
  analysisProvider: string | null;
  /** Users who found it helpful. */
  votes: number | null;
  /** Scores of the most negative and the most positive clause; null without a sentiment. */
  clauseMin: number | null;
  clauseMax: number | null;
  /** By topic, from -1 to 1: the opinion on it; null in analyses without it. */
  topicScores: Record<string, number> | null;
  /** From the official sources of Google Play, else null. */
  device: string | null;
  osVersion: string | null;
  submittedAt: string | null;
  firstSeenAt: string;
  /** When the last edit was noticed. */
  editedAt: string | null;
  /** The source stated no date that can be right. */
  isDateAssumed: boolean;
  /** A list that holds every review of the app had it. */
  isListed: boolean;
  /** Since when the store no longer shows it; null while it does, as far as the source shows. */
  removedAt: string | null;
  /** The developer's public answer. */
  replyText: string | null;
  replyDate: string | null;
  /** The review before its edits, oldest first. */
  versions: VersionJson[];
};

const batchSize = 500;

export type ExportDatabase = Pick<
  Database,
  "findApp" | "listOwnTopicsOfReviews" | "listReviewsById" | "loadReviewVersions"
>;

/**
 * Batches of reviews; write each at once.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function* exportReviews(
  database: ExportDatabase,
  query: {
    appId: string;
    workspaceId: string | null;
    /** Regions of the listing; all by default. */
    regions?: readonly string[] | null;
  },
): AsyncGenerator<ExportedReview[]> {
  const { appId: id, workspaceId, regions = null } = query;
  const app = await requireApp(database, { field: "app", id, workspaceId });
  const { listingId } = app;
  for (let afterId: string | null = null; ; ) {
    const reviews: Review[] = await database.listReviewsById({
      listingId,
      afterId,
      limit: batchSize,
    });
    const reviewIds = reviews.map((review) => review.id);
    const versions = await database.loadReviewVersions({ listingId, reviewIds });
    const byReview = groupByReview(versions);
    const owned = { workspaceId: app.workspaceId, reviewIds };
    const ownTopics = groupByReview(await database.listOwnTopicsOfReviews(owned));
    const followed = reviews.filter((one) => regions === null || regions.includes(regionOf(one)));
    yield followed.map((review) => {
      const found = (ownTopics.get(review.id) ?? []).filter((one) => one.appId === app.id);
      const own = found.map(({ topic }) => topic).sort();
      return toExported(app, { review, ownTopics: own, versions: byReview.get(review.id) ?? [] });
    });
    const last = reviews.at(-1);
    if (!last || reviews.length < batchSize) return;
    afterId = last.id;
  }
}

function groupByReview<Item extends { reviewId: string }>(
  items: readonly Item[],
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.reviewId) ?? [];
    groups.set(item.reviewId, group);
    group.push(item);
  }
  return groups;
}

function toExported(
  app: App,
  {
    review,
    ownTopics,
    versions,
  }: { review: Review; ownTopics: string[]; versions: readonly ReviewVersion[] },
): ExportedReview {
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
