// The feed: reviews with the read API's filters, a search in their words, edits and evidence.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { StoreId } from "../../domain/store-id.ts";
import type { Day, Moment, Route } from "./route.ts";

export type FeedFilters = {
  app?: string | undefined;
  store?: StoreId | undefined;
  from?: Day | undefined;
  to?: Day | undefined;
  rating?: number | undefined;
  sentiment?: SentimentLabel | undefined;
  topic?: string | undefined;
  /** The exact version that a review names. */
  version?: string | undefined;
  /** In title, text, translation or author, in any case; 2 to 100 characters. */
  q?: string | undefined;
  /** Only reviews that were edited since they were first seen. */
  editedOnly?: boolean | undefined;
};

export type FoundTopic = {
  name: string;
  /** The words of title and text that mention it, as the review spells them; may be empty. */
  evidence: string[];
};

export type FeedReview = {
  id: string;
  appId: string;
  store: StoreId;
  author: string;
  rating: number;
  title: string | null;
  text: string;
  translatedText: string | null;
  translatedFrom: string | null;
  version: string;
  /** Storefront (`us`) for the App Store, language (`en`) for Google Play. */
  country: string;
  /** `und` when it is unknown; null while not analysed. */
  language: string | null;
  date: Moment;
  firstSeenAt: Moment;
  /** null: never edited; else the versions route has what it said before. */
  editedAt: Moment | null;
  sentiment: { label: SentimentLabel; score: number } | null;
  topics: FoundTopic[];
  votes: number | null;
  reply: { text: string; at: Moment | null } | null;
};

export type Feed = {
  reviews: FeedReview[];
  nextCursor: string | null;
  /**
   * With `q`, `version` or `editedOnly`: how many reviews matching the other filters were scanned
   * for this page. A page can be short or empty and still have a `nextCursor`: continue from there.
   */
  searchedCount: number | null;
};

export type ReviewVersion = {
  /** Counts from 1, oldest first. */
  number: number;
  rating: number;
  title: string | null;
  text: string;
  version: string;
  date: Moment;
  replacedAt: Moment;
};

export type TopicCount = { topic: string; count: number };

export type ReviewRoutes = {
  /** Newest first. `limit` 1 to 100, 30 by default. */
  "GET /workspaces/:workspace/reviews": Route<{
    query: FeedFilters & { limit?: number | undefined; cursor?: string | undefined };
    response: Feed;
  }>;
  /** What the review said before its edits, oldest first; without its current text. */
  "GET /workspaces/:workspace/apps/:app/reviews/:review": Route<{
    response: { review: FeedReview; versions: ReviewVersion[] };
  }>;
  /** A file, streamed: open it as a link. All reviews that match, newest first. */
  "GET /workspaces/:workspace/reviews/export": Route<{
    query: FeedFilters & { format: "csv" | "jsonl" };
    response: Blob;
  }>;
  /** Topics to choose from, the most frequent first, at most 200. */
  "GET /workspaces/:workspace/topics": Route<{
    query: { app?: string | undefined };
    response: { topics: TopicCount[] };
  }>;
};
