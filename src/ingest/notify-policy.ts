// Languages of one app share reviews. What the first pass over one of them meets and another feed would
// have met next is news, and must not go down with the silent baseline.

import type { Feed } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import { dayMs } from "../lib/timestamp.ts";

/** Where a feed was silent for long, its reviews are history by now. */
const newsMs = dayMs;

/** From when on the first pass over a feed meets news; null where it meets none. */
export function newsSince(walked: {
  feed: Pick<Feed, "baselineAt" | "region">;
  listing: Pick<Listing, "store">;
  /** All of the listing. */
  feeds: readonly Feed[];
  now: Date;
}): Date | null {
  const { feed, feeds, now } = walked;
  // A storefront's reviews are its own.
  if (feed.baselineAt !== null || walked.listing.store !== "googleplay") return null;
  const seen = feeds
    .filter(({ kind, region }) => kind === "reviews" && region !== feed.region)
    .flatMap(({ baselineAt, goodAt, watermark }) =>
      baselineAt === null || goodAt === null ? [] : [seenUntil(goodAt, watermark)],
    );
  if (seen.length === 0) return null;
  return new Date(Math.max(Math.min(...seen), now.getTime() - newsMs));
}

/** A pass that took long ended long after its newest review; a quiet feed has nothing new to tell by. */
function seenUntil(goodAt: Date, watermark: Date | null): number {
  const good = goodAt.getTime();
  const newest = watermark?.getTime() ?? 0;
  return newest > good - newsMs ? Math.min(newest, good) : good;
}
