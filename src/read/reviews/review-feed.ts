// Pages of the review feed, with everything that its cards show.
import type { ReviewKey } from "../../database/reviews/review-pages.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type ReviewJson, toReviewJson } from "../../domain/review/review-json.ts";
import type { ReviewWork } from "../../domain/review/review-work.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { formatTimestamp, type Moment } from "../../lib/timestamp.ts";
import { type LoadedReview, loadReviews } from "../../use-cases/reviews/load-reviews.ts";
import { type FoundReviews, searchReviews } from "../../use-cases/reviews/search-reviews.ts";
import type { Evidence, Reader } from "../reader.ts";

type FoundTopic = {
  name: string;
  /** The words of title and text that mention it, as the review spells them; may be empty. */
  evidence: string[];
  /** The review's opinion on it, from -1 to 1; null where the analysis has none. */
  score: number | null;
};

/** `country` is the storefront (`us`) for the App Store, the language (`en`) for Google Play. */
export type FeedReview = ReviewJson & {
  id: string;
  appId: string;
  store: StoreId;
  /** The store's id of the review; "" once it was erased. */
  storeId: string;
  /** `und` when it is unknown; null while not analysed. */
  language: string | null;
  firstSeenAt: Moment;
  /** null: never edited; else the versions route has what it said before. */
  editedAt: Moment | null;
  topics: FoundTopic[];
  votes: number | null;
  /** The workspace's notes about it; null for nothing. */
  work: (ReviewWork & { noteCount: number }) | null;
  reply: { text: string; at: Moment | null } | null;
  /** Since when the store no longer shows it; null while it does, as far as the source shows. */
  removedAt: Moment | null;
  /** From the official sources of Google Play, else null; `osVersion` is a number of the platform's. */
  device: string | null;
  osVersion: string | null;
  submittedAt: Moment | null;
};

type ReviewFeedDeps = Pick<Reader, "database" | "findEvidence">;
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
