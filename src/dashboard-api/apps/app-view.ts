// Apps as the Sources page shows them: with their picture, and how collecting goes in one look.

import type { App } from "../../domain/listing.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { type AppWithCoverage, listAppsWithCoverage } from "../../use-cases/apps/apps.ts";
import type { Coverage } from "../../use-cases/apps/coverage.ts";
import type { CollectingState, FeedState, FollowedApp } from "../contract/apps.ts";
import type { DashboardDeps } from "../deps.ts";
import type { IconProxy } from "./icon-proxy.ts";

type Rooms = Pick<DashboardDeps, "clock" | "database"> & { icons: IconProxy };

export async function listAppViews(deps: Rooms, workspaceId: string): Promise<FollowedApp[]> {
  const covered = await listAppsWithCoverage(deps, { workspaceId });
  const counts = await deps.database.countReviewsOfApps(workspaceId);
  const countOf = new Map(counts.map(({ appId, count }) => [appId, count]));
  const shown = covered.map((app) => toAppView(deps, { app, count: countOf.get(app.id) ?? 0 }));
  return Promise.all(shown);
}

/** The app again after something was done to it. */
export async function getAppView(
  deps: Rooms,
  wanted: { id: string; workspaceId: string },
): Promise<FollowedApp> {
  const apps = await listAppViews(deps, wanted.workspaceId);
  const found = apps.find(({ id }) => id === wanted.id);
  if (!found) throw notFound("app", wanted.id);
  return found;
}

async function toAppView(
  { database, icons }: Rooms,
  { app, count }: { app: AppWithCoverage; count: number },
): Promise<FollowedApp> {
  const listing = await database.findListing(app.listingId);
  return {
    id: app.id,
    name: app.name,
    store: app.store,
    externalAppId: app.externalAppId,
    storeUrl: storeUrlOf(app),
    iconPath: app.iconUrl === "" ? null : icons.pathOf(app.iconUrl, app.workspaceId),
    countries: app.countries,
    languages: app.languages,
    addedAt: formatTimestamp(app.addedAt),
    credentialId: listing?.credentialId ?? null,
    collecting: toCollectingState(app.feeds, count),
  };
}

export function toCollectingState(
  feeds: readonly Coverage[],
  reviewCount: number,
): CollectingState {
  const failing = feeds.filter((feed) => feed.outcome === "unknown" || feed.alarm !== null);
  // Ratings have no first pass to wait for: a reading is one request.
  const reviewFeeds = feeds.filter((feed) => feed.kind === "reviews");
  const begun = reviewFeeds.filter((feed) => feed.baselineAt !== null);
  const worst = failing.find((feed) => feed.kind === "reviews") ?? failing[0];
  return {
    state: stateOf({ feeds, failing, isThrough: begun.length === reviewFeeds.length }),
    feedCount: reviewFeeds.length,
    baselineCount: begun.length,
    failingCount: failing.length,
    goodAt: oldestOf(feeds.map((feed) => feed.goodAt)),
    nextDueAt: oldestOf(feeds.map((feed) => feed.nextDueAt)),
    lastError: worst ? wordsOf(worst) : null,
    reviewCount,
  };
}

function stateOf(all: {
  feeds: readonly Coverage[];
  failing: readonly Coverage[];
  isThrough: boolean;
}): CollectingState["state"] {
  if (all.feeds.length === 0) return "off";
  if (all.failing.length > 0) return "failing";
  return all.isThrough ? "good" : "first";
}

function wordsOf(feed: Coverage): string {
  return `${feed.region}: ${feed.alarm ?? feed.lastError ?? "the last answer told nothing for sure"}`;
}

/** null while one of them never was, and without any. */
function oldestOf(moments: readonly (Date | null)[]): string | null {
  const known = moments.filter((moment) => moment !== null);
  if (known.length === 0 || known.length < moments.length) return null;
  return formatTimestamp(new Date(Math.min(...known.map((moment) => moment.getTime()))));
}

function storeUrlOf(app: Pick<App, "store" | "externalAppId" | "countries">): string {
  const id = encodeURIComponent(app.externalAppId);
  return app.store === "googleplay"
    ? `https://play.google.com/store/apps/details?id=${id}`
    : `https://apps.apple.com/${app.countries[0] ?? "us"}/app/id${id}`;
}

export function toFeedView(feed: Coverage): FeedState {
  const moment = (at: Date | null): string | null => at && formatTimestamp(at);
  return {
    kind: feed.kind,
    region: feed.region,
    source: feed.source,
    outcome: feed.outcome,
    checkedAt: moment(feed.checkedAt),
    goodAt: moment(feed.goodAt),
    nextDueAt: formatTimestamp(feed.nextDueAt),
    baselineAt: moment(feed.baselineAt),
    failureCount: feed.failureCount,
    lastError: feed.lastError,
    pageCount: feed.pageCount,
    reviewCount: feed.reviewCount,
    isTruncated: feed.truncated,
    stopReason: feed.stopReason,
    progress: feed.progress && {
      startedAt: formatTimestamp(feed.progress.startedAt),
      savedAt: formatTimestamp(feed.progress.savedAt),
      pageCount: feed.progress.pageCount,
      reviewCount: feed.progress.reviewCount,
    },
    alarm: feed.alarm,
  };
}
