// Reads a page of reviews and the ratings of one well-known app in each store by the parsers of the crawls, and compares
// them with the invariants of a page. It needs no database, and nothing is saved.
import type { Config } from "../config/config.ts";
import { validateRatings } from "../crawling/rating-plausibility.ts";
import type { RatingReading } from "../domain/snapshot.ts";
import type { StoreId } from "../domain/store-id.ts";
import { storeTraits } from "../domain/store-traits.ts";
import { findPageSuspicion } from "../ingest/page-suspicion.ts";
import type { Clock } from "../lib/clock.ts";
import type { Http } from "../lib/http.ts";
import { createAppleStore } from "../stores/apple/apple-store.ts";
import { createGoogleStore } from "../stores/google/google-store.ts";
import type { Fetched, ReviewPage } from "../stores/store.ts";

/** `fault`: null where the page is as it should be. */
export type StoreCheck = { name: string; fault: string | null };

/** Apps whose newest page is always full. */
export const canaryApps: Readonly<Record<StoreId, string>> = {
  appstore: "310633997",
  googleplay: "com.whatsapp",
};

export async function checkStorePages(
  config: Pick<Config, "itunesBaseUrl" | "appleAppsBaseUrl" | "googlePlayBaseUrl">,
  deps: { clock: Clock; http: Http },
): Promise<StoreCheck[]> {
  const { itunesBaseUrl, appleAppsBaseUrl: appsBaseUrl, googlePlayBaseUrl: baseUrl } = config;
  const stores = [
    createAppleStore({ ...deps, itunesBaseUrl, appsBaseUrl }),
    createGoogleStore({ ...deps, baseUrl }),
  ];
  const checks = stores.map(async (store): Promise<StoreCheck[]> => {
    const { name, reviewsBy } = storeTraits[store.id];
    const externalAppId = canaryApps[store.id];
    const region = reviewsBy === "language" ? "en" : "us";
    const reviews = await store.fetchReviews({ externalAppId, region, cursor: null });
    const ratings = await store.fetchRatings({ externalAppId, region: "us" });
    return [
      { name: `${name} reviews`, fault: findFault(reviews, judgeReviews) },
      { name: `${name} ratings`, fault: findFault(ratings, judgeRatings) },
    ];
  });
  return (await Promise.all(checks)).flat();
}

function findFault<T>(fetched: Fetched<T>, judge: (value: T) => string | null): string | null {
  if (fetched.outcome === "ok") return judge(fetched.value);
  return fetched.outcome === "empty" ? "the list of an app that has many is empty" : fetched.reason;
}

function judgeReviews({ reviews, rejectedCount }: ReviewPage): string | null {
  if (rejectedCount > 0) return `${rejectedCount} items could not be read as reviews`;
  const identified = reviews.map((review) => ({ id: review.storeReviewId, review }));
  const feed = { baselineAt: null, watermark: null };
  const page = { identified, known: new Map(), feed, isFirstPage: true, hasReplies: false };
  return findPageSuspicion(page)?.reason ?? null;
}

function judgeRatings(reading: RatingReading): string | null {
  const verdict = validateRatings({ reading, previous: null, quarantined: null });
  return verdict.kind === "quarantined" ? verdict.reason : null;
}
