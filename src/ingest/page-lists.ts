// Causes of a changed layout that the list of a page shows: it is of another app, cut, or has parts of reviews as reviews. Pure.
import { secondMs } from "../lib/timestamp.ts";
import type { PageFacts } from "./page-facts.ts";

/**
 * A first page of which nothing is known, although a fifth of it is older than what was read to the end. It stays odd until
 * it shows a known review: the list of another app goes on, and in the end all of its page is new.
 */
export function findForeign({ reviews, known, feed, isFirstPage }: PageFacts): string | null {
  const { baselineAt, watermark, quarantinedPage } = feed;
  if (!isFirstPage || baselineAt === null || watermark === null || known.size > 0) return null;
  const isForeign = quarantinedPage?.kind === "foreign";
  const oldCount = reviews.filter(({ date }) => date !== null && date <= watermark).length;
  if (reviews.length === 0 || (!isForeign && oldCount * 5 < reviews.length)) return null;
  const why =
    oldCount === 0 ? ", as before" : `, although ${oldCount} are older than the last crawl`;
  return `none of the ${reviews.length} newest reviews was ever seen${why}: the list may be of another app`;
}

/**
 * A first page that is much shorter than the last one and lacks the newest known review. It stays odd until it shows newer
 * ones: edits take their reviews to the part that is missing, so that the newest one that is left may be on the page.
 */
export function findCut(page: PageFacts): string | null {
  const { reviews, isFirstPage } = page;
  const { watermark, headCount, quarantinedPage } = page.feed;
  const times = reviews.flatMap(({ date }) => date?.getTime() ?? []);
  if (!isFirstPage || watermark === null || times.length === 0) return null;
  const isCut = quarantinedPage?.kind === "list_cut";
  const lacksNewer = Math.max(...times) < watermark.getTime() + (isCut ? 1 : -1) * secondMs;
  if (!lacksNewer || !isMuchShorter(page)) return null;
  return `the first page has ${reviews.length} reviews, ${headCount} before, and lacks the newest one that is known`;
}

export function isMuchShorter({ reviews, feed: { headCount } }: PageFacts): boolean {
  return reviews.length < headCount - 2 && reviews.length * 4 <= headCount * 3;
}

/** An id that is another one of the page and a word for a part of it: the part has a list of its own. */
export function findDerived({ identified, known, reviews }: PageFacts): string | null {
  const ids = new Set(reviews.map(({ storeReviewId }) => storeReviewId));
  const derived = identified.filter(({ id, review: { storeReviewId } }) => {
    if (known.has(id)) return false;
    const parts = [...storeReviewId.matchAll(/[^\p{L}\p{N}]/gu)];
    return parts.some(({ index }) => ids.has(storeReviewId.slice(0, index)));
  });
  return derived.length > 0
    ? `${derived.length} new reviews of a page have ids that are made of the ids of others`
    : null;
}
