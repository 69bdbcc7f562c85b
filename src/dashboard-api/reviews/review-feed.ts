// Pages of the review feed, with everything that its cards show.
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import type { ReviewKey } from "../../database/reviews/review-pages.ts";
import type { App } from "../../domain/listing.ts";
import { toReviewJson } from "../../domain/review-json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
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
  const { workspaceId, keys } = query;
  const loaded = await deps.database.loadFeedReviews({ workspaceId, reviews: keys });
  const rows = new Map(loaded.map((row) => [`${row.listingId} ${row.id}`, row]));
  const reviewIds = loaded.map(({ id }) => id);
  const listed = await deps.database.listReviewWork({ workspaceId, reviewIds });
  const work = new Map(listed.map(({ reviewId, ...one }) => [reviewId, one]));
  const ownTopics = await deps.database.listOwnTopicsOfReviews({ workspaceId, reviewIds });
  const apps = new Map(query.apps.map((app) => [app.listingId, app]));
  return keys.flatMap(({ listingId, id }) => {
    const row = rows.get(`${listingId} ${id}`);
    const app = apps.get(listingId);
    if (!row || !app) return [];
    const own = ownTopics.filter(({ appId, reviewId }) => appId === app.id && reviewId === id);
    const names = own.map(({ topic }) => topic);
    return [toReviewView(deps, { row, app, work: work.get(id) ?? null, ownTopics: names })];
  });
}

const evidenceMax = 5;

function toReviewView(
  { findEvidence }: Pick<ReviewFeedDeps, "findEvidence">,
  {
    row,
    app,
    work,
    ownTopics,
  }: {
    row: FeedReviewRow;
    app: ReviewApp;
    work: FeedReview["work"];
    ownTopics: readonly string[];
  },
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
