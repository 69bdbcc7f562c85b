// The interface of a store to the rest of Starpost: pages of reviews, ratings, facts of an app. A store knows wire
// formats and nothing else; when and how far to read is decided in crawling.
import type { AppFacts } from "../domain/feed/app-facts.ts";
import type { RatingAverage } from "../domain/review/rating-average.ts";
import type { Reading, SourceReview } from "../domain/review/review.ts";
import type { RatingReading } from "../domain/review/snapshot.ts";
import type { StoreAnswers } from "../domain/review/store-answer.ts";
import type { StoreId } from "../domain/store/store-id.ts";

/**
 * The three outcomes of a request to a store. `empty` is confirmed by the store; everything doubtful is
 * `unknown`.
 */
export type Fetched<T> =
  | { outcome: "ok"; value: T }
  /** `note`: what the id belongs to instead of an app, in words. */
  | { outcome: "empty"; note?: string }
  | UnknownOutcome;

export type UnknownOutcome = {
  outcome: "unknown";
  /** One sentence for a person: what came instead. */
  reason: string;
  /** A block, a limit or a redirect: counts for the circuit breaker of the host. */
  blocked: boolean;
  /** The wait that the store demands (`Retry-After`), or null. */
  retryAfterMs: number | null;
  /** Nothing was requested: it says nothing of the feed, which is due again after `retryAfterMs`. */
  isNotSent?: true;
  /** Every way was tried: another try in this crawl is of no use. */
  isFinal?: true;
  /** Reading it exceeds its budget of time or memory: the feed rests, also when a user asks for it. */
  isOverBudget?: true;
  /** Set for a part beside the reviews, such as the report bucket: a crawl ends well without it, and says so. */
  isAside?: true;
  /** The store refuses the credential: nothing helps until a person changes it. */
  isCredentialRefused?: true;
};

export type ReviewPage = {
  /** Newest first; the order of the store. */
  reviews: SourceReview[];
  /** Items that were not reviews by the store's own rules: counted in the coverage. */
  rejectedCount: number;
  /** When the store made this copy of the page; the latest date of reviews that have none. */
  copyMadeAt: Date | null;
  /** Where its replies are is not known. */
  lacksReplies?: true;
  /** From a file that lags behind the list: what the list said is newer. */
  isExport?: true;
  /** The name of the shape that it is read by; absent where there is one alone. */
  shape?: string;
  /** The same items by other shapes that are in use: known reviews show which one is right. */
  others?: readonly Reading[];
};

/** A page and where the next one is. A crawl goes on past a gap, so `next` is beside the outcome. */
export type FetchedPage = Fetched<ReviewPage> & {
  /** Opaque to the caller, good for this crawl only; null on the last page. */
  next: string | null;
  /** The store holds more than it shows (Apple's 10 pages). */
  capped: boolean;
  /** Beside `empty`, in words: it takes a second reading, hours later, to believe it. */
  doubt?: string;
  /** At the end of a list that is far too early, in words: it is read again soon. */
  cutShort?: string;
  /** Beside `ok`, in words: details of the reviews that could not be read. */
  note?: string;
  /**
   * Beside `unknown`: reviews from another place of the store, in no order and maybe not all. They are
   * saved, but say neither where to stop nor how far the feed was read.
   */
  fallbackReviews?: SourceReview[];
};

export type StoreApp = {
  externalAppId: string;
  name: string;
  /** URL, "" when the store has none. */
  iconUrl: string;
  /** As far as the store has it. */
  developer?: string;
  /** For search results: average in stars. */
  rating?: number;
  /** Facts of the released version; not for search results. */
  facts?: AppFacts;
};

export type AppInRegion = { externalAppId: string; region: string };

export type Store = {
  id: StoreId;
  /** `fetchReviews` leads through every review of the app: one that is missing was removed. */
  listsAllReviews?: true;
  /** Whether a text can be an app's id here; else why not, in one sentence. */
  validateAppId(text: string): { ok: true } | { ok: false; reason: string };
  /** One page of the newest reviews; `cursor` null: the first. */
  fetchReviews(request: AppInRegion & { cursor: string | null }): Promise<FetchedPage>;
  fetchRatings(request: AppInRegion): Promise<Fetched<RatingReading>>;
  /**
   * Averages of ratings by day from exports of the app's owner, a month at a time; absent where the source has none.
   * `knownMonths`, like `202610`, are passed over unless they still change.
   */
  readRatingAverages?(request: {
    externalAppId: string;
    knownMonths: ReadonlySet<string>;
    save(averages: readonly RatingAverage[]): Promise<void>;
  }): Promise<Fetched<null>>;
  /** Why a new account can't be used as it was entered, in words; null without a known fault. */
  findAccountFault?(account: unknown): Promise<string | null>;
  /** Answers to its reviews; absent where the source takes none. */
  answers?: StoreAnswers;
  /** Facts of an app; `empty` when the store does not sell it in that storefront. */
  fetchApp(request: AppInRegion): Promise<Fetched<StoreApp>>;
  /** The app that a link to this store points to, in any of its forms; null for any other text. */
  parseLink(text: string): { externalAppId: string; region: string | null } | null;
  /** Apps by a search term, best match first, or the one app with that bundle id or package name. */
  findApps(
    query: { term: string; region: string } | { bundleId: string; region: string },
  ): Promise<Fetched<StoreApp[]>>;
};
