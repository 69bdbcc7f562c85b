// What a store is to the rest of Starpost: pages of reviews, a reading of the ratings, facts of an app.
// A store knows wire formats and nothing else; when and how far to read is collect's business.
import type { SourceReview } from "../domain/review.ts";
import type { RatingReading } from "../domain/snapshot.ts";
import type { StoreId } from "../domain/store-id.ts";

/**
 * The three outcomes of asking a store. `empty` is confirmed by the store ("nothing there");
 * everything doubtful is `unknown`.
 */
export type Fetched<T> = { outcome: "ok"; value: T } | { outcome: "empty" } | Unknown;

export type Unknown = {
  outcome: "unknown";
  /** One sentence for a person: what was seen instead of an answer. */
  reason: string;
  /** A block, a limit or a network that is cut off: the whole host should rest. */
  blocked: boolean;
  /** What the store asked for (`Retry-After`), or null. */
  retryAfterMs: number | null;
  /** Asked in every way there is: asking again in this pass is no use. */
  isFinal?: true;
  /** The credential is at fault: nothing helps until a person changes it. */
  isCredentialRefused?: true;
};

export type ReviewPage = {
  /** Newest first; the order of the store. */
  reviews: SourceReview[];
  /** Items that were no reviews by the store's own rules: named in the coverage, never invented. */
  rejectedCount: number;
  /** When the store says this copy was made; bounds the date of reviews that have none. */
  copyMadeAt: Date | null;
};

/** A page and where the next one is. Pages go on past a hole, so `next` stands beside the outcome. */
export type FetchedPage = Fetched<ReviewPage> & {
  /** Opaque to the caller, good for this pass only; null when there is no further page. */
  next: string | null;
  /** The store holds more than it hands out (Apple's 10 pages). */
  truncated: boolean;
  /**
   * Beside `unknown`: reviews that another source knows of, in no order and maybe not all. Good for
   * what is new; no sign of where to stop, and nothing to move a watermark by.
   */
  salvaged?: SourceReview[];
};

export type StoreApp = {
  externalAppId: string;
  name: string;
  /** URL, "" when the store has none. */
  iconUrl: string;
};

export type AppInRegion = { externalAppId: string; region: string };

export type Store = {
  id: StoreId;
  /** Whether a text can be an app's id here; else why not, in words. */
  checkAppId(text: string): { ok: true } | { ok: false; reason: string };
  /** One page of the newest reviews; `cursor` null asks for the first. */
  fetchReviews(request: AppInRegion & { cursor: string | null }): Promise<FetchedPage>;
  fetchRatings(request: AppInRegion): Promise<Fetched<RatingReading>>;
  /** Facts of an app; `empty` when the store does not sell it in that storefront. */
  fetchApp(request: AppInRegion): Promise<Fetched<StoreApp>>;
  /** What a link to this store points to, in any of its forms; null for any other text. */
  readLink(text: string): { externalAppId: string; region: string | null } | null;
  /** Apps by a search term, best match first, or the one app with that bundle id or package name. */
  findApps(
    query: { term: string; region: string } | { bundleId: string; region: string },
  ): Promise<Fetched<StoreApp[]>>;
};
