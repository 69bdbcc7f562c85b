// Reviews with everything that the review feed of the dashboard shows, and their earlier versions.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { ReviewVersion } from "../../domain/review.ts";
import { ofListings } from "../cluster/distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";

export type FeedReviewRow = {
  listingId: string;
  id: string;
  author: string;
  rating: number;
  title: string | null;
  text: string;
  version: string;
  country: string;
  language: string | null;
  languageHint: string | null;
  date: Date;
  firstSeenAt: Date;
  editedAt: Date | null;
  sentiment: SentimentLabel | null;
  sentimentScore: number | null;
  topics: string[];
  /** In the order of the topics; null where the analysis does not tell. */
  topicScores: number[] | null;
  translatedText: string | null;
  translatedFrom: string | null;
  votes: number | null;
  replyText: string | null;
  replyAt: Date | null;
  removedAt: Date | null;
  device: string | null;
  osVersion: string | null;
  submittedAt: Date | null;
};

/** Those of the reviews that belong to an app of the workspace, in no order. */
export function loadFeedReviews(
  db: Db,
  query: { workspaceId: string; reviews: readonly { listingId: string; id: string }[] },
): Promise<FeedReviewRow[]> {
  const { workspaceId, reviews } = query;
  return queryRows(
    db,
    "loadFeedReviews",
    `${ofListings("$2")}select r.listing_id as "listingId", r.id, r.author, r.rating, r.title, r.body as text, r.version,
       r.country, r.language, r.language_hint as "languageHint", r.date,
       r.first_seen_at as "firstSeenAt", r.edited_at as "editedAt", r.sentiment,
       r.sentiment_score as "sentimentScore", r.topics,
       r.topic_scores as "topicScores", r.translated_text as "translatedText",
       r.translated_from as "translatedFrom", r.votes, r.reply_text as "replyText",
       r.reply_at as "replyAt", r.removed_at as "removedAt", r.device, r.os_version as "osVersion",
       r.submitted_at as "submittedAt"
     from unnest($2::uuid[], $3::uuid[]) w (listing_id, id)
     join reviews r on r.listing_id = w.listing_id and r.id = w.id
     where exists (
       select from followed_apps a where a.workspace_id = $1 and a.listing_id = w.listing_id
         and (a.regions is null or coalesce(r.language_hint, nullif(r.country, ''), 'und') = any(a.regions))
     )`,
    [workspaceId, reviews.map(({ listingId }) => listingId), reviews.map(({ id }) => id)],
  );
}

/** Oldest first. */
export function listReviewVersions(
  db: Db,
  query: { workspaceId: string; listingId: string; reviewId: string },
): Promise<ReviewVersion[]> {
  return queryRows(
    db,
    "listReviewVersions",
    `select v.number, v.rating, v.title, v.body as text, v.version, v.date,
       v.replaced_at as "replacedAt"
     from review_versions v
     where v.listing_id = $2 and v.review_id = $3 and exists (
       select from apps a where a.workspace_id = $1 and a.listing_id = v.listing_id
     )
     order by v.number`,
    [query.workspaceId, query.listingId, query.reviewId],
  );
}
