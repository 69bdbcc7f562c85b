// A store whose lists have three reviews, as far apart as the app's class says, and an ingest that saves nothing but how
// the crawl ends.
import type { Database } from "../../src/database/database.ts";
import { decideCheckpoint } from "../../src/domain/feed/crawl-state.ts";
import type { Review } from "../../src/domain/review/review.ts";
import type { IngestReviews } from "../../src/ingest/ingest-batch.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Http } from "../../src/lib/http.ts";
import { hourMs } from "../../src/lib/timestamp.ts";
import type { FetchedPage, Store } from "../../src/stores/store.ts";
import { gapHoursOf } from "./fill-feeds.ts";

export function createStubStore(clock: Clock, http: Http): Store {
  const unused = async (): Promise<never> => {
    throw new Error("only reviews are read here");
  };
  return {
    id: "appstore",
    validateAppId: () => ({ ok: true }),
    parseLink: () => null,
    ...{ fetchRatings: unused, fetchApp: unused, findApps: unused },
    async fetchReviews({ externalAppId }): Promise<FetchedPage> {
      await http({ method: "GET", url: `https://store.simulated.invalid/${externalAppId}` });
      const gapMs = gapHoursOf(Number(externalAppId)) * hourMs;
      const reviews = [1, 2, 3].map((count) => ({
        ...{ storeReviewId: String(count), author: "", rating: 4, title: "", text: "Fine." },
        ...{ version: "", country: "us", languageHint: null, votes: null, reply: null },
        date: new Date(clock.now().getTime() - count * gapMs),
      }));
      const value = { reviews, rejectedCount: 0, copyMadeAt: null };
      return { outcome: "ok", value, next: null, capped: false };
    },
  };
}

/** All reviews are known, and the crawl ends with them. */
export function createStubIngest(database: Pick<Database, "finishFeed">): IngestReviews {
  return async ({ reviews, crawlPage }) => {
    if (!crawlPage) throw new Error("a page without its crawl");
    const changes = reviews.map((review) => {
      // Only the date decides, here.
      const after = { ...review, isDateAssumed: false } as unknown as Review;
      return { kind: "unchanged" as const, before: after, after };
    });
    const decision = decideCheckpoint(crawlPage, changes);
    if (!decision.end) throw new Error("the only page did not end the crawl");
    const isLeaseHeld = await database.finishFeed({ ...crawlPage.feed, ...decision.end });
    return {
      ...{ newCount: 0, editedCount: 0, metadataChangedCount: 0, unchangedCount: reviews.length },
      ...{ lateCount: 0, queuedCount: 0, decision, isLeaseHeld },
    };
  };
}
