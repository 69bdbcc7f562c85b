// Apps as the Sources page shows them, with their icon and the state of collecting.

import type { Feed } from "../../domain/feed/feed.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { hasReviewsByLanguage, storePageUrl } from "../../domain/store/store-traits.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import {
  type AppWithCoverage,
  findAppWithCoverage,
  listAppsWithCoverage,
} from "../../use-cases/apps/apps.ts";
import { type Coverage, ownFeeds } from "../../use-cases/apps/coverage.ts";
import { readRounds } from "../../use-cases/apps/reading-rounds.ts";
import {
  type CollectingState,
  type FailingRegion,
  type FeedState,
  type FollowedApp,
  type HeldFeed,
  type NamedApp,
  namedAppFields,
} from "../contract/apps.ts";
import type { DashboardDeps } from "../deps.ts";
import type { IconProxy } from "../icon-proxy.ts";
import { show, toJson } from "../show.ts";

type AppViewDeps = Pick<DashboardDeps, "clock" | "database" | "readStoreLoads" | "settings"> & {
  icons: IconProxy;
};

export async function listAppViews(deps: AppViewDeps, workspaceId: string): Promise<FollowedApp[]> {
  const apps = await listAppsWithCoverage(deps, { workspaceId });
  return toAppViews(deps, { workspaceId, apps, ids: null });
}

/** @throws AppError `not_found` */
export async function getAppView(
  deps: AppViewDeps,
  query: { id: string; workspaceId: string },
): Promise<{ app: FollowedApp; feeds: FeedState[]; held: HeldFeed[] }> {
  const found = await findAppWithCoverage(deps, { field: "app", ...query });
  const { workspaceId } = query;
  const [app] = await toAppViews(deps, { workspaceId, apps: [found], ids: [found.id] });
  if (!app) throw notFound("app", query.id);
  const feeds = ownFeeds(await deps.database.listFeeds(found.listingId), found);
  return { app, feeds: found.feeds.map(toFeedView), held: feeds.flatMap(toHeldFeed) };
}

function toHeldFeed({ region, lastError, quarantinedPage }: Feed): HeldFeed[] {
  if (quarantinedPage === null) return [];
  const { since, reason, unconfirmed } = quarantinedPage;
  return [toJson({ region, since, reason: lastError ?? reason, unconfirmed })];
}

/** @param input.ids those of the apps; null for all of the workspace */
async function toAppViews(
  { database, icons, readStoreLoads, settings }: AppViewDeps,
  input: { workspaceId: string; apps: readonly AppWithCoverage[]; ids: readonly string[] | null },
): Promise<FollowedApp[]> {
  const { workspaceId, ids } = input;
  const followed = await database.listFollowedApps({ workspaceId, ids });
  const counts = await database.countReviewsOfApps({ workspaceId, apps: followed });
  const countOf = new Map(counts.map(({ appId, count }) => [appId, count]));
  const rounds = await readRounds({ readStoreLoads }, settings.pace);
  return input.apps.map((app) => ({
    ...toNamedApp(icons, app),
    version: app.version,
    addedAt: formatTimestamp(app.addedAt),
    credentialId: app.credentialId ?? null,
    facts: app.facts ?? null,
    collecting: toCollectingState(app, {
      reviewCount: countOf.get(app.id) ?? 0,
      paceNote: rounds.get(app.store)?.note ?? null,
    }),
  }));
}

/** An app in lists to choose from: one statement reads all of a workspace. */
export function toNamedApp(icons: IconProxy, app: App): NamedApp {
  return {
    ...show(app, namedAppFields),
    storeUrl: storePageUrl({ ...app, country: app.countries[0] }),
    iconPath: app.iconUrl === "" ? null : icons.pathFor(app.iconUrl, app.workspaceId),
  };
}

type CollectedFeed = Pick<
  Coverage,
  | "alarm"
  | "baselineAt"
  | "goodAt"
  | "kind"
  | "lastError"
  | "nextDueAt"
  | "outcome"
  | "region"
  | "source"
>;

export function toCollectingState(
  { store, feeds }: { store: StoreId; feeds: readonly CollectedFeed[] },
  { reviewCount, paceNote }: Pick<CollectingState, "reviewCount" | "paceNote">,
): CollectingState {
  // Ratings are read once a day, and have no backfill: a reading is one request.
  const reviewFeeds = feeds.filter((feed) => feed.kind === "reviews");
  const backfilled = reviewFeeds.filter((feed) => feed.baselineAt !== null);
  const { failing, regionCount } = summarizeRegions({ store, feeds });
  const isBackfilled = backfilled.length === reviewFeeds.length;
  return {
    state:
      feeds.length === 0 ? "off" : failing.length > 0 ? "failing" : isBackfilled ? "good" : "first",
    feedCount: reviewFeeds.length,
    baselineCount: backfilled.length,
    regionCount,
    failing,
    goodAt: oldestOf(reviewFeeds.map((feed) => feed.goodAt)),
    nextDueAt: oldestOf(reviewFeeds.map((feed) => feed.nextDueAt)),
    // It is null for an app that is not collected or is read through its own account.
    paceNote: reviewFeeds.some(({ source }) => source === "public") ? paceNote : null,
    reviewCount,
  };
}

type FeedOutcome = Pick<Coverage, "alarm" | "kind" | "lastError" | "outcome" | "region">;

/** How many storefronts and languages are read, and which of them fail. */
export function summarizeRegions({
  store,
  feeds,
}: {
  store: StoreId;
  feeds: readonly FeedOutcome[];
}): Pick<CollectingState, "failing" | "regionCount"> {
  const regionCount = new Set(feeds.map((feed) => keyOf(regionOf(store, feed)))).size;
  return { failing: listFailingRegions(store, feeds), regionCount };
}

/** null once everything that can be read was read. Feeds that fail are reported as such. */
export function countImported(
  feeds: readonly Pick<Coverage, "alarm" | "baselineAt" | "kind" | "outcome">[],
): { doneCount: number; feedCount: number } | null {
  const reviewFeeds = feeds.filter((feed) => feed.kind === "reviews");
  const waiting = reviewFeeds.filter((feed) => feed.baselineAt === null);
  if (waiting.every(isFailing)) return null;
  return { doneCount: reviewFeeds.length - waiting.length, feedCount: reviewFeeds.length };
}

/** Each once, with the failure of its reviews rather than that of its ratings. */
function listFailingRegions(store: StoreId, feeds: readonly FeedOutcome[]): FailingRegion[] {
  const found = new Map<string, FailingRegion>();
  for (const kind of ["reviews", "ratings"] as const) {
    for (const feed of feeds.filter((one) => one.kind === kind && isFailing(one))) {
      const region = regionOf(store, feed);
      const reason = feed.alarm ?? feed.lastError ?? "the last response was inconclusive";
      if (!found.has(keyOf(region))) found.set(keyOf(region), { ...region, reason });
    }
  }
  return [...found.values()];
}

function isFailing({ outcome, alarm }: Pick<Coverage, "alarm" | "outcome">): boolean {
  return outcome === "unknown" || alarm !== null;
}

function regionOf(
  store: StoreId,
  { kind, region }: Pick<Coverage, "kind" | "region">,
): Pick<FailingRegion, "kind" | "region"> {
  const isLanguage = hasReviewsByLanguage(store) && kind === "reviews";
  return { kind: isLanguage ? "language" : "storefront", region };
}

function keyOf({ kind, region }: Pick<FailingRegion, "kind" | "region">): string {
  return `${kind} ${region}`;
}

/** null when the list is empty or one of the moments is null. */
function oldestOf(moments: readonly (Date | null)[]): string | null {
  const known = moments.filter((moment) => moment !== null);
  if (known.length === 0 || known.length < moments.length) return null;
  return formatTimestamp(new Date(Math.min(...known.map((moment) => moment.getTime()))));
}

function toFeedView(feed: Coverage): FeedState {
  const { truncated: isTruncated, watermark: _watermark, ...known } = feed;
  const { sweptAt: _sweptAt, sweepDueAt: _sweepDueAt, ...shown } = known;
  return { ...toJson(shown), isTruncated };
}
