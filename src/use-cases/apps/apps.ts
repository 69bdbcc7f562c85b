// The apps of a workspace: listed with the coverage of what is collected for them, and removed.

import type { CrawlReport } from "../../crawling/crawl-report.ts";
import type { Database } from "../../database/database.ts";
import type { Feed } from "../../domain/feed.ts";
import type { App, Listing } from "../../domain/listing.ts";
import { assertId, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit } from "../audit.ts";
import { requireScope } from "../members/workspaces.ts";
import { syncFeeds } from "./app-regions.ts";
import { type Coverage, ownFeeds, toCoverage } from "./coverage.ts";

export type AppWithCoverage = App & { feeds: Coverage[] };

type Scope = { workspaceId: string | null };

export async function listAppsWithCoverage(
  deps: {
    clock: Clock;
    database: Pick<Database, "findWorkspace" | "listApps" | "listFeeds" | "findListing">;
  },
  scope: Scope,
): Promise<AppWithCoverage[]> {
  const { clock, database } = deps;
  const apps = await database.listApps(await requireScope(database, scope.workspaceId));
  const covered: AppWithCoverage[] = [];
  for (const app of apps) {
    const listing = await database.findListing(app.listingId);
    const feeds = ownFeeds(await database.listFeeds(app.listingId), app);
    const now = clock.now();
    covered.push({
      ...app,
      feeds: listing ? feeds.map((feed) => toCoverage(feed, { app, listing, now })) : [],
    });
  }
  return covered;
}

/** `Partial`: nothing was done for a feed that another worker is at. */
export type CollectedFeed = Coverage &
  Partial<Omit<CrawlReport, "outcome" | "stopReason">> & { isHeldElsewhere: boolean };

/** What a pass did for each feed, beside what is now known of it; feeds of other workers included. */
export async function mergeCoverage(
  deps: { clock: Clock; database: Pick<Database, "listFeeds"> },
  done: {
    app: App;
    listing: Listing;
    reports: readonly CrawlReport[];
    busyFeeds: readonly Pick<Feed, "kind" | "region">[];
  },
): Promise<CollectedFeed[]> {
  const now = deps.clock.now();
  const feeds = await deps.database.listFeeds(done.listing.id);
  const isSame = (feed: Feed) => (one: { kind: string; region: string }) =>
    one.kind === feed.kind && one.region === feed.region;
  return feeds.map((feed) => ({
    ...toCoverage(feed, { ...done, now }),
    ...done.reports.find(isSame(feed)),
    isHeldElsewhere: done.busyFeeds.some(isSame(feed)),
  }));
}

export async function requireApp(
  database: Pick<Database, "findApp">,
  wanted: Scope & { field: string; id: string },
): Promise<App> {
  assertId(wanted.field, wanted.id);
  const app = await database.findApp({ id: wanted.id, workspaceId: wanted.workspaceId });
  if (!app) throw notFound("app", wanted.id);
  return app;
}

/** The listing keeps what other workspaces follow; without any other app it goes, with its reviews. */
export async function removeApp(
  deps: { clock: Clock; database: Pick<Database, "transaction" | "notify">; actor: string },
  removed: Scope & { id: string },
): Promise<App> {
  assertId("id", removed.id);
  const app = await deps.database.transaction(async (tx) => {
    const { app, listing } = await lockApp(tx, removed);
    await tx.deleteApp(app.id);
    await releaseListing(tx, { listing, now: deps.clock.now() });
    const { id: subject, workspaceId, name, store, externalAppId } = app;
    const detail = { name, store, externalAppId };
    await recordAudit(deps, tx, { action: "app.removed", subject, workspaceId, detail });
    return app;
  });
  await deps.database.notify("apps", app.workspaceId);
  return app;
}

type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** The app and its listing, locked; an import may move the app to another listing meanwhile. */
export async function lockApp(
  tx: Tx,
  held: Scope & { id: string },
): Promise<{ app: App; listing: Listing }> {
  let app = await tx.findApp(held);
  while (app) {
    const listing = await tx.lockListing(app.listingId);
    const current: App | null = await tx.findApp(held);
    if (current && listing && current.listingId === listing.id) return { app: current, listing };
    app = current;
  }
  throw notFound("app", held.id);
}

/** After an app left it: fewer feeds, or none of it at all. */
export async function releaseListing(tx: Tx, left: { listing: Listing; now: Date }): Promise<void> {
  const isGone = await tx.deleteUnusedListing(left.listing.id);
  if (!isGone) await syncFeeds(tx, left);
}
