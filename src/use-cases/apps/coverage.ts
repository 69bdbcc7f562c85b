// The coverage of a feed as users see it: where it is read, what was read, what is missing, and an alarm
// when reviews are about to be lost.

import type { Feed } from "../../domain/feed/feed.ts";
import type { App } from "../../domain/feed/listing.ts";
import { everywhere } from "../../domain/store/credential.ts";
import { hasReviewsByLanguage, storeTraits } from "../../domain/store/store-traits.ts";
import { omit } from "../../lib/pick.ts";
import { dayMs } from "../../lib/timestamp.ts";

const internalFields = [
  "listingId",
  "quarantinedReading",
  "quarantinedPage",
  "checkpoint",
  "fullCrawlAt",
  "fullCrawlDueAt",
  "fullPageCount",
  "headCount",
  "missingPart",
  "plannedDueAt",
] as const;

/** A feed without what is internal, such as quarantined readings. */
export type Coverage = Omit<Feed, (typeof internalFields)[number]> & {
  /** When the list was last read to its end, and when that is due again. */
  sweptAt: Date | null;
  sweepDueAt: Date | null;
  /** `public`: the store's pages; `official`: its API, through the workspace's own account. */
  source: "public" | "official";
  /** How far the crawl that runs, or was interrupted, has come; null when there is none. */
  progress: { startedAt: Date; savedAt: Date; pageCount: number; reviewCount: number } | null;
  /** A warning about reviews that are missing, or will be lost, unless someone acts, in words; null without one. */
  alarm: string | null;
};

/** Feeds that this app is read through: other workspaces may follow more of the same listing. */
export function ownFeeds(
  feeds: readonly Feed[],
  app: Pick<App, "store" | "countries" | "languages">,
): Feed[] {
  const reviewed = hasReviewsByLanguage(app.store) ? app.languages : app.countries;
  return feeds.filter(({ kind, region }) =>
    kind === "ratings"
      ? app.countries.includes(region)
      : region === everywhere || reviewed.includes(region),
  );
}

/** This many days are left to act. */
const warningDays = 2;

export function toCoverage(
  feed: Feed,
  context: { app: Pick<App, "addedAt" | "credentialId" | "store">; now: Date },
): Coverage {
  const { checkpoint } = feed;
  const isOfficial = (context.app.credentialId ?? null) !== null && feed.kind === "reviews";
  return {
    ...omit(feed, internalFields),
    sweptAt: feed.fullCrawlAt,
    sweepDueAt: feed.fullCrawlDueAt,
    source: isOfficial ? "official" : "public",
    progress: checkpoint && {
      startedAt: checkpoint.startedAt,
      savedAt: checkpoint.savedAt,
      pageCount: checkpoint.pageCount,
      reviewCount: checkpoint.reviewCount,
    },
    alarm: isOfficial ? (feed.missingPart ?? alarmOf(feed, context)) : null,
  };
}

function alarmOf(
  feed: Feed,
  context: { app: Pick<App, "addedAt" | "store">; now: Date },
): string | null {
  const limit = storeTraits[context.app.store].officialLimit;
  if (limit === null) return null;
  const since = feed.goodAt ?? context.app.addedAt;
  const silentMs = context.now.getTime() - since.getTime();
  if (silentMs < (limit.days - warningDays) * dayMs) return null;
  const days = Math.floor(silentMs / dayMs);
  return `no successful crawl for ${days} days: ${limit.provider} provides reviews of the last ${limit.days} days only`;
}
