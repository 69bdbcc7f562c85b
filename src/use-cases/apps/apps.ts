// The apps of a workspace: listed with the coverage of their feeds, and removed.
import type { CrawlSummary } from "../../crawling/crawl-summary.ts";
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { Feed } from "../../domain/feed/feed.ts";
import type { App, Listing } from "../../domain/feed/listing.ts";
import { assertId, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { groupBy } from "../../lib/group-by.ts";
import { requireScope } from "../workspaces/workspaces.ts";
import { syncFeeds } from "./app-regions.ts";
import { type Coverage, ownFeeds, toCoverage } from "./coverage.ts";

export type AppWithCoverage = App & { feeds: Coverage[] };

type Scope = { workspaceId: string | null };

type CoverageDeps = { clock: Clock; database: Pick<Database, "listFeedsOfListings"> };

/** @throws AppError `not_found` without such a workspace */
export async function listAppsWithCoverage(
  deps: CoverageDeps & { database: Pick<Database, "findWorkspace" | "listApps"> },
  { workspaceId }: Scope,
): Promise<AppWithCoverage[]> {
  const scope = await requireScope(deps.database, workspaceId);
  return addCoverage(deps, await deps.database.listApps(scope));
}

/** @throws AppError `invalid_input` when it is not an id, `not_found` without such an app */
export async function findAppWithCoverage(
  deps: CoverageDeps & { database: Pick<Database, "findApp"> },
  query: Scope & { field: string; id: string },
): Promise<AppWithCoverage> {
  const app = await requireApp(deps.database, query);
  const [covered] = await addCoverage(deps, [app]);
  return covered ?? { ...app, feeds: [] };
}

/** One statement reads the feeds of all of them. */
async function addCoverage(
  { clock, database }: CoverageDeps,
  apps: readonly App[],
): Promise<AppWithCoverage[]> {
  const now = clock.now();
  const feeds = await database.listFeedsOfListings(apps.map((app) => app.listingId));
  const byListing = groupBy(feeds, (feed) => feed.listingId);
  return apps.map((app) => {
    const own = ownFeeds(byListing.get(app.listingId) ?? [], app);
    return { ...app, feeds: own.map((feed) => toCoverage(feed, { app, now })) };
  });
}

/** Without the facts of a report for a feed that another worker is crawling. */
type CollectedFeed = Coverage &
  Partial<Omit<CrawlSummary, "outcome" | "stopReason">> & { isHeldElsewhere: boolean };

/** The reports of a crawl beside the coverage of every feed, including those that other workers hold. */
export async function mergeCoverage(
  deps: { clock: Clock; database: Pick<Database, "listFeeds"> },
  crawl: {
    app: App;
    summaries: readonly CrawlSummary[];
    busyFeeds: readonly Pick<Feed, "kind" | "region">[];
  },
): Promise<CollectedFeed[]> {
  const now = deps.clock.now();
  const feeds = await deps.database.listFeeds(crawl.app.listingId);
  const isSame = (feed: Feed) => (one: { kind: string; region: string }) =>
    one.kind === feed.kind && one.region === feed.region;
  return feeds.map((feed) => ({
    ...toCoverage(feed, { ...crawl, now }),
    ...crawl.summaries.find(isSame(feed)),
    isHeldElsewhere: crawl.busyFeeds.some(isSame(feed)),
  }));
}

/** @throws AppError `invalid_input` when it is not an id, `not_found` without such an app */
export async function requireApp(
  database: Pick<Database, "findApp">,
  { field = "app", id, workspaceId }: Scope & { field?: string; id: string },
): Promise<App> {
  assertId(field, id);
  const app = await database.findApp({ id, workspaceId });
  if (!app) throw notFound("app", id);
  return app;
}

/**
 * The app and its listing, locked. Repeats when an import moves the app to another listing meanwhile.
 *
 * @throws AppError `not_found`
 */
export async function lockApp(
  tx: DatabaseTransaction,
  query: Scope & { id: string },
): Promise<{ app: App; listing: Listing }> {
  let app = await tx.findApp(query);
  while (app) {
    const listing = await tx.lockListing(app.listingId);
    const current: App | null = await tx.findApp(query);
    if (current && listing && current.listingId === listing.id) return { app: current, listing };
    app = current;
  }
  throw notFound("app", query.id);
}

/** After an app left it: removes the feeds, or the whole listing, that has no followers left. */
export async function releaseListing(
  tx: DatabaseTransaction,
  change: { listing: Listing; now: Date },
): Promise<void> {
  const isRemoved = await tx.removeUnusedListing({ id: change.listing.id, now: change.now });
  if (!isRemoved) await syncFeeds(tx, change);
}

/**
 * The part of its app that the workspace sees.
 * @throws AppError `not_found` for an app that was removed meanwhile
 */
export async function requireSeen(
  database: Pick<Database, "listFollowedApps">,
  { id, workspaceId }: Pick<App, "id" | "workspaceId">,
): Promise<FollowedApp> {
  const [seen] = await database.listFollowedApps({ workspaceId, ids: [id] });
  if (!seen) throw notFound("app", id);
  return seen;
}
