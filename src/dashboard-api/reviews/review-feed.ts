// Pages of the review feed, with everything that its cards show.
import type { ReviewKey } from "../../database/reviews/review-pages.ts";
import type { App } from "../../domain/listing.ts";
import { toReviewJson } from "../../domain/review-json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { type LoadedReview, loadReviews } from "../../use-cases/reviews/load-reviews.ts";
import { type FoundReviews, searchReviews } from "../../use-cases/reviews/search-reviews.ts";
import type { FeedReview } from "../contract/reviews.ts";
import type { DashboardDeps } from "../deps.ts";

type ReviewFeedDeps = Pick<DashboardDeps, "database" | "findEvidence">;
type ReviewApp = Pick<App, "id" | "listingId" | "store">;

export type FeedPage = Pick<FoundReviews, "last" | "searchedCount"> & { reviews: FeedReview[] };

/** @throws AppError `not_found` for a foreign app */
export async function readFeedPage(
  deps: ReviewFeedDeps,
  page: Parameters<typeof searchReviews>[1],
): Promise<FeedPage> {
  const { apps, keys, ...found } = await searchReviews(deps.database, page);
  const { workspaceId } = page;
  return { ...found, reviews: await listReviewViews(deps, { workspaceId, apps, keys }) };
}

/** In the order of the keys; reviews deleted meanwhile are left out. */
export async function listReviewViews(
  deps: ReviewFeedDeps,
  query: { workspaceId: string; apps: readonly ReviewApp[]; keys: readonly ReviewKey[] },
): Promise<FeedReview[]> {
  const { workspaceId } = query;
  const loaded = await loadReviews(deps.database, query);
  const reviewIds = loaded.map(({ row }) => row.id);
  const listed = await deps.database.listReviewWork({ workspaceId, reviewIds });
  const work = new Map(listed.map(({ reviewId, ...one }) => [reviewId, one]));
  return loaded.map((one) => toReviewView(deps, { ...one, work: work.get(one.row.id) ?? null }));
}

const evidenceMax = 5;

function toReviewView(
  { findEvidence }: Pick<ReviewFeedDeps, "findEvidence">,
  { row, app, work, ownTopics }: LoadedReview<ReviewApp> & { work: FeedReview["work"] },
): FeedReview {
  const evidence = row.topics.length === 0 ? [] : findEvidence(row);
  return {
    id: row.id,
    appId: app.id,
    store: app.store,
    ...toReviewJson(row),
    language: row.language,
    firstSeenAt: formatTimestamp(row.firstSeenAt),
    editedAt: row.editedAt && formatTimestamp(row.editedAt),
    topics: [
      ...row.topics.map((name, at) => {
        const score = row.topicScores?.[at] ?? null;
        const words = evidence.filter(({ topic }) => topic === name).map((find) => find.words);
        return { name, evidence: [...new Set(words)].slice(0, evidenceMax), score };
      }),
      ...ownTopics.map((name) => ({ name, evidence: [], score: null })),
    ],
    votes: row.votes,
    work,
    reply:
      row.replyText === null
        ? null
        : { text: row.replyText, at: row.replyAt && formatTimestamp(row.replyAt) },
    removedAt: row.removedAt && formatTimestamp(row.removedAt),
    device: row.device,
    osVersion: row.osVersion,
    submittedAt: row.submittedAt && formatTimestamp(row.submittedAt),
  };
}
