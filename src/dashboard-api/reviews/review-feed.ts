// Pages of the review feed: read from an index where the filters allow it, else found by scanning a bounded
// number of the newest reviews, which the response reports.

import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import {
  type CheckedFilter,
  checkedFilters,
  indexedFilters,
  type ReviewFilters,
} from "../../database/reviews/review-filters.ts";
import type { ReviewKey } from "../../database/reviews/review-pages.ts";
import type { ReviewPosition } from "../../database/reviews/review-ranges.ts";
import type { App } from "../../domain/listing.ts";
import { toReviewJson } from "../../domain/review-json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import type { FeedFilters } from "../contract/requests.ts";
import type { FeedReview } from "../contract/reviews.ts";
import type { DashboardDeps } from "../deps.ts";
import { listChosen, readBySearch, toReviewFilters } from "./feed-search.ts";

type ReviewFeedDeps = Pick<DashboardDeps, "database" | "findEvidence">;

export type FeedPage = {
  reviews: FeedReview[];
  last: ReviewPosition | null;
  searchedCount: number | null;
};

/** @throws AppError `not_found` for a foreign app */
export async function readFeedPage(
  deps: ReviewFeedDeps,
  page: {
    workspaceId: string;
    filters: FeedFilters;
    after: ReviewPosition | null;
    limit: number;
  },
): Promise<FeedPage> {
  const { workspaceId, filters } = page;
  if (filters.app !== undefined) {
    await requireApp(deps.database, { field: "app", id: filters.app, workspaceId });
  }
  const apps = await deps.database.listApps({ workspaceId });
  const query = {
    workspaceId,
    apps: await listChosen(deps.database, page),
    filters: toReviewFilters(filters),
    after: page.after,
    limit: page.limit,
  };
  const found = isIndexed(query.filters)
    ? { ...(await deps.database.listReviewKeys(query)), searchedCount: null }
    : await readBySearch(deps.database, query);
  const reviews = await listReviewViews(deps, { workspaceId, apps, keys: found.keys });
  return { reviews, last: found.last, searchedCount: found.searchedCount };
}

/** Whether an index answers all of the filters. */
function isIndexed(filters: ReviewFilters): boolean {
  const isUnset = (name: CheckedFilter): boolean =>
    filters[name] === null || indexedFilters.some((one) => one === name);
  return checkedFilters.every(isUnset) && (filters.ratings ?? []).length <= 1;
}

/** In the order of the keys; reviews deleted meanwhile are left out. */
export async function listReviewViews(
  deps: ReviewFeedDeps,
  query: { workspaceId: string; apps: readonly App[]; keys: readonly ReviewKey[] },
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
    app: App;
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
