// The coverage of a feed as users see it: where it is read, what was read, what is missing, and an alarm
// when reviews are about to be lost.
import { everywhere } from "../../domain/credential.ts";
import type { Feed } from "../../domain/feed.ts";
import type { App } from "../../domain/listing.ts";
import { dayMs } from "../../lib/timestamp.ts";

/** A feed without what is internal, such as quarantined readings. */
export type Coverage = Omit<
  Feed,
  | "listingId"
  | "quarantinedReading"
  | "quarantinedPage"
  | "checkpoint"
  | "fullCrawlAt"
  | "fullCrawlDueAt"
  | "fullPageCount"
> & {
  /** When the list was last read to its end, and when that is due again. */
  sweptAt: Date | null;
  sweepDueAt: Date | null;
  /** `public`: the store's pages; `official`: its API, through the workspace's own account. */
  source: "public" | "official";
  /** How far the crawl that runs, or was interrupted, has come; null when there is none. */
  progress: { startedAt: Date; savedAt: Date; pageCount: number; reviewCount: number } | null;
  /** What will be lost if nobody acts, in words; null when nothing is at risk. */
  alarm: string | null;
};

/** Feeds that this app is read through: other workspaces may follow more of the same listing. */
export function ownFeeds(
  feeds: readonly Feed[],
  app: Pick<App, "store" | "countries" | "languages">,
): Feed[] {
  const reviewed = app.store === "googleplay" ? app.languages : app.countries;
  return feeds.filter(({ kind, region }) =>
    kind === "ratings"
      ? app.countries.includes(region)
      : region === everywhere || reviewed.includes(region),
  );
}

// Google's API has the reviews of the last 7 days: two days are left to act.
const silenceMsMax = 5 * dayMs;

export function toCoverage(
  feed: Feed,
  context: { app: Pick<App, "addedAt" | "credentialId" | "store">; now: Date },
): Coverage {
  const {
    listingId: _listing,
    quarantinedReading: _reading,
    quarantinedPage: _page,
    ...shown
  } = feed;
  const { checkpoint, ...rest } = shown;
  const { fullCrawlAt: sweptAt, fullCrawlDueAt: sweepDueAt, fullPageCount: _, ...known } = rest;
  const isOfficial = (context.app.credentialId ?? null) !== null && feed.kind === "reviews";
  return {
    ...known,
    sweptAt,
    sweepDueAt,
    source: isOfficial ? "official" : "public",
    progress: checkpoint && {
      startedAt: checkpoint.startedAt,
      savedAt: checkpoint.savedAt,
      pageCount: checkpoint.pageCount,
      reviewCount: checkpoint.reviewCount,
    },
    alarm: isOfficial && context.app.store === "googleplay" ? alarmOf(feed, context) : null,
  };
}

function alarmOf(feed: Feed, context: { app: Pick<App, "addedAt">; now: Date }): string | null {
  const since = feed.goodAt ?? context.app.addedAt;
  const silentMs = context.now.getTime() - since.getTime();
  if (silentMs < silenceMsMax) return null;
  const days = Math.floor(silentMs / dayMs);
  return `no successful crawl for ${days} days: Google provides reviews of the last 7 days only`;
}
