// What a person may know of a feed: where it is read, what came, what is missing and what to worry about.

import { everywhere } from "../../domain/credential.ts";
import type { Feed } from "../../domain/feed.ts";
import type { App, Listing } from "../../domain/listing.ts";
import { dayMs } from "../../lib/timestamp.ts";

/** Readings that are not believed yet stay inside. */
export type Coverage = Omit<
  Feed,
  "listingId" | "quarantinedReading" | "checkpoint" | "fullCrawlAt" | "fullCrawlDueAt"
> & {
  /** When the list was last read to its end, and when that is due again. */
  sweptAt: Date | null;
  sweepDueAt: Date | null;
  /** `public`: the store's pages; `official`: its API, through the workspace's own account. */
  source: "public" | "official";
  /** How far the pass at work, or the one that was cut off, has come; null when there is none. */
  progress: { startedAt: Date; savedAt: Date; pageCount: number; reviewCount: number } | null;
  /** What is lost if nothing is done, in words; null when nothing is. */
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

// Google's API shows the reviews of the last 7 days: two days are left to act.
const silenceMsMax = 5 * dayMs;

export function toCoverage(
  feed: Feed,
  of: { app: Pick<App, "addedAt">; listing: Listing; now: Date },
): Coverage {
  const { listingId: _listing, quarantinedReading: _quarantined, checkpoint, ...rest } = feed;
  const { fullCrawlAt: sweptAt, fullCrawlDueAt: sweepDueAt, ...known } = rest;
  const isOfficial = (of.listing.credentialId ?? null) !== null && feed.kind === "reviews";
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
    alarm: isOfficial && of.listing.store === "googleplay" ? alarmOf(feed, of) : null,
  };
}

function alarmOf(feed: Feed, of: { app: Pick<App, "addedAt">; now: Date }): string | null {
  const since = feed.goodAt ?? of.app.addedAt;
  const silentMs = of.now.getTime() - since.getTime();
  if (silentMs < silenceMsMax) return null;
  const days = Math.floor(silentMs / dayMs);
  return `no good pass for ${days} days: Google hands out reviews of the last 7 days only`;
}
