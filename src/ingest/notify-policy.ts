// Decides whether a change of a review is announced to a channel. Undated edits of a page that looked wrong have
// been left out before, and the filters of the channel come after it, in matching. Pure.

import type { Feed } from "../domain/feed/feed.ts";
import type { App, Listing } from "../domain/feed/listing.ts";
import type { ReviewChange } from "../domain/review/review.ts";
import { hasReviewsByLanguage } from "../domain/store/store-traits.ts";
import { dayMs, hourMs, minuteMs } from "../lib/timestamp.ts";

export type NotifyPolicy =
  /** An import of history: edits aren't announced either. */
  | { kind: "never" }
  /** An import of reviews that count as written now. */
  | { kind: "always" }
  /** A crawl after the backfill. */
  | { kind: "recent" }
  /** The first crawl of a feed; the other facts are as of its start. */
  | ({ kind: "backfill" } & Backfill);

/** @param feeds all feeds of the listing */
type Backfill = {
  region: string;
  store: Listing["store"];
  feeds: readonly Feed[];
  startedAt: Date;
};

/** @param wasNotified whether the channel got a `review.created` of this review */
type NotifyCandidate = {
  change: ReviewChange;
  app: Pick<App, "addedAt">;
  wasNotified: boolean;
};

// Stores publish late: a review from just before the app was added is still new to its followers.
const lateMs = 48 * hourMs;

/** An import of history announces nothing. Else edits go to channels that got the review; new ones once, by date and policy. */
export function shouldNotify(policy: NotifyPolicy, candidate: NotifyCandidate): boolean {
  const { change, app, wasNotified } = candidate;
  const { date } = change.after;
  if (policy.kind === "never") return false;
  if (change.kind === "edited") return wasNotified && !change.isCompletion;
  // A listing can be copied or added again: what a channel got before is not new to it.
  if (wasNotified || !(change.kind === "new" || isNowDated(change))) return false;
  // Whether it is recent is unknown.
  if (change.after.isDateAssumed) return false;
  switch (policy.kind) {
    case "always":
      return true;
    case "recent":
      return date.getTime() >= app.addedAt.getTime() - lateMs;
    case "backfill": {
      const since = findUnseenSince(policy);
      return since !== null && date >= since && date >= app.addedAt;
    }
  }
}

/** Its date was a guess until now, as of a review that was read while the clock was days behind. */
export function isNowDated({ kind, before, after }: ReviewChange): boolean {
  return kind === "metadata_changed" && before.isDateAssumed && !after.isDateAssumed;
}

export function notifyPolicyOfCrawl(crawl: {
  feed: Pick<Feed, "baselineAt" | "region">;
  listing: Pick<Listing, "store">;
  feeds: readonly Feed[];
  now: Date;
}): NotifyPolicy {
  const { feed, listing, feeds, now } = crawl;
  if (feed.baselineAt !== null) return { kind: "recent" };
  return { kind: "backfill", region: feed.region, store: listing.store, feeds, startedAt: now };
}

// Reviews that other feeds have not seen for longer are history by now, unless one is read less often.
const unseenMsMax = dayMs;
// A crawl comes a tenth later than its interval says, at most.
const spread = 1.1;

/**
 * From when on reviews are new although their feed is read for the first time: the languages of a Google
 * Play app share reviews, so a backfill also meets what another language's next crawl would have
 * announced. null where all that a backfill meets is history, as in a storefront of its own.
 */
export function findUnseenSince({ region, store, feeds, startedAt }: Backfill): Date | null {
  if (!hasReviewsByLanguage(store)) return null;
  const seen = feeds
    .filter((feed) => feed.kind === "reviews" && feed.region !== region)
    .flatMap(({ baselineAt, goodAt, watermark }) =>
      baselineAt === null || goodAt === null ? [] : [seenUntil(goodAt, watermark)],
    );
  if (seen.length === 0) return null;
  const waitsMs = feeds.map(({ intervalMinutes }) => spread * (intervalMinutes ?? 0) * minuteMs);
  const oldestMs = startedAt.getTime() - Math.max(unseenMsMax, ...waitsMs);
  return new Date(Math.max(Math.min(...seen), oldestMs));
}

// A long crawl ends long after its newest review; a quiet feed has no review to go by but the crawl.
function seenUntil(goodAt: Date, watermark: Date | null): number {
  const good = goodAt.getTime();
  const newest = watermark?.getTime() ?? 0;
  return newest > good - unseenMsMax ? Math.min(newest, good) : good;
}
