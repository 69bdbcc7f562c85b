// Reads a page of reviews and the ratings of one well-known app in each store by the parsers of the crawls, and compares
// them with the invariants of a page. No review of it is saved.
import { findRatingSuspicion } from "../../crawling/rating-plausibility.ts";
import type { StoreCheckEndpoint } from "../../database/collecting/store-checks.ts";
import { type StoreId, storeIds } from "../../domain/store/store-id.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { judgeOnItsOwn } from "../../ingest/page-causes.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Http } from "../../lib/http.ts";
import { createStores, type PublicStores, type StoreBases } from "../../stores/create-stores.ts";
import type { AppInRegion, Fetched, ReviewPage, Store } from "../../stores/store.ts";

export type StoreCheck = AppInRegion & {
  store: StoreId;
  endpoint: StoreCheckEndpoint;
  /** Resolves to null where the page is as it should be. */
  findFault(): Promise<string | null>;
};

type CheckedStores = Readonly<Record<StoreId, Pick<Store, "fetchReviews" | "fetchRatings">>>;

/** For a check without a database, where the pace of all processes is kept. */
export function createUnthrottledStores(
  config: StoreBases,
  { clock, http }: { clock: Clock; http: Http },
): PublicStores {
  return createStores(config, { clock, http });
}

export function planStoreChecks(stores: CheckedStores): StoreCheck[] {
  return storeIds.flatMap((store): StoreCheck[] => {
    const externalAppId = storeTraits[store].canaryApp;
    const language = { externalAppId, region: "en" };
    const country = { externalAppId, region: "us" };
    const listed = storeTraits[store].reviewsBy === "language" ? language : country;
    const { fetchReviews, fetchRatings } = stores[store];
    return [
      {
        ...{ store, endpoint: "reviews", ...listed },
        findFault: async () =>
          judge(await fetchReviews({ ...listed, cursor: null }), (page) =>
            judgeReviews(store, page),
          ),
      },
      {
        ...{ store, endpoint: "ratings", ...country },
        findFault: async () =>
          judge(await fetchRatings(country), (reading) =>
            findRatingSuspicion({ reading, previous: null }),
          ),
      },
    ];
  });
}

/** Such as `App Store reviews`. */
export function nameOfCheck({ store, endpoint }: Pick<StoreCheck, "store" | "endpoint">): string {
  return `${storeTraits[store].name} ${endpoint}`;
}

function judge<T>(fetched: Fetched<T>, findFault: (value: T) => string | null): string | null {
  if (fetched.outcome === "ok") return findFault(fetched.value);
  return fetched.outcome === "empty" ? "the list of an app that has many is empty" : fetched.reason;
}

function judgeReviews(store: StoreId, { reviews, rejectedCount }: ReviewPage): string | null {
  if (rejectedCount > 0) return `${rejectedCount} items could not be read as reviews`;
  const identified = reviews.map((review) => ({ id: review.storeReviewId, review }));
  const feed = {
    baselineAt: null,
    watermark: null,
    goodAt: null,
    fullCrawlAt: null,
    headCount: 0,
    quarantinedPage: null,
  };
  const judgement = judgeOnItsOwn({
    store,
    identified,
    known: new Map(),
    rejectedCount,
    feed,
    isFirstPage: true,
    hasReplies: false,
  });
  return judgement.kind === "odd" ? judgement.suspicion.reason : null;
}
