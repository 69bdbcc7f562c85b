// Pages of the review feed, with everything that its cards show.
import type { ReviewKey } from "../../database/reviews/review-pages.ts";
import type { App } from "../../domain/feed/listing.ts";
import { toReviewJson } from "../../domain/review/review-json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { type LoadedReview, loadReviews } from "../../use-cases/reviews/load-reviews.ts";
import { type FoundReviews, searchReviews } from "../../use-cases/reviews/search-reviews.ts";
import type { FeedReview } from "../contract/reviews.ts";
import type { DashboardDeps, Evidence } from "../deps.ts";

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
  const evidence = await deps.findEvidence(
    loaded.map(({ row }) => row),
    workspaceId,
  );
  return loaded.map((one, at) =>
    toReviewView(one, { evidence: evidence[at] ?? [], work: work.get(one.row.id) ?? null }),
  );
}

const evidenceMax = 5;

function toReviewView(
  { row, app, ownTopics }: LoadedReview<ReviewApp>,
  { evidence, work }: { evidence: readonly Evidence[]; work: FeedReview["work"] },
): FeedReview {
  return {
    id: row.id,
    appId: app.id,
    store: app.store,
    storeId: row.storeReviewId,
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
