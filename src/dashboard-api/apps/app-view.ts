// Apps as the Sources page shows them, with their icon and the state of collecting.

import type { App } from "../../domain/listing.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { type AppWithCoverage, listAppsWithCoverage } from "../../use-cases/apps/apps.ts";
import type { Coverage } from "../../use-cases/apps/coverage.ts";
import type { CollectingState, FeedState, FollowedApp } from "../contract/apps.ts";
import type { DashboardDeps } from "../deps.ts";
import type { IconProxy } from "./icon-proxy.ts";

type AppViewDeps = Pick<DashboardDeps, "clock" | "database"> & { icons: IconProxy };

export async function listAppViews(deps: AppViewDeps, workspaceId: string): Promise<FollowedApp[]> {
  const apps = await listAppsWithCoverage(deps, { workspaceId });
  const counts = await deps.database.countReviewsOfApps(workspaceId);
  const countOf = new Map(counts.map(({ appId, count }) => [appId, count]));
  return Promise.all(apps.map((app) => toAppView(deps, { app, count: countOf.get(app.id) ?? 0 })));
}

/** @throws AppError `not_found` */
export async function getAppView(
  deps: AppViewDeps,
  query: { id: string; workspaceId: string },
): Promise<FollowedApp> {
  const apps = await listAppViews(deps, query.workspaceId);
  const app = apps.find(({ id }) => id === query.id);
  if (!app) throw notFound("app", query.id);
  return app;
}

async function toAppView(
  { database, icons }: AppViewDeps,
  { app, count }: { app: AppWithCoverage; count: number },
): Promise<FollowedApp> {
  const listing = await database.findListing(app.listingId);
  return {
    id: app.id,
    name: app.name,
    store: app.store,
    externalAppId: app.externalAppId,
    storeUrl: storeUrlOf(app),
    iconPath: app.iconUrl === "" ? null : icons.pathFor(app.iconUrl, app.workspaceId),
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
  // Ratings have no backfill: a reading is one request.
  const reviewFeeds = feeds.filter((feed) => feed.kind === "reviews");
  const backfilled = reviewFeeds.filter((feed) => feed.baselineAt !== null);
  const worst = failing.find((feed) => feed.kind === "reviews") ?? failing[0];
  return {
    state: stateOf({ feeds, failing, isBackfilled: backfilled.length === reviewFeeds.length }),
    feedCount: reviewFeeds.length,
    baselineCount: backfilled.length,
    failingCount: failing.length,
    goodAt: oldestOf(feeds.map((feed) => feed.goodAt)),
    nextDueAt: oldestOf(feeds.map((feed) => feed.nextDueAt)),
    lastError: worst ? describeFailure(worst) : null,
    reviewCount,
  };
}

function stateOf({
  feeds,
  failing,
  isBackfilled,
}: {
  feeds: readonly Coverage[];
  failing: readonly Coverage[];
  isBackfilled: boolean;
}): CollectingState["state"] {
  if (feeds.length === 0) return "off";
  if (failing.length > 0) return "failing";
  return isBackfilled ? "good" : "first";
}

function describeFailure(feed: Coverage): string {
  return `${feed.region}: ${feed.alarm ?? feed.lastError ?? "the last response was inconclusive"}`;
}

/** null when the list is empty or one of the moments is null. */
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
