// The apps of a workspace: listed with the coverage of what is collected for them, and removed.

import type { PassReport } from "../collect/pass-report.ts";
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { Feed } from "../reviews/feed.ts";
import type { App, Listing } from "../reviews/listing.ts";
import { followRegions } from "./app-regions.ts";
import { recordAct } from "./audit.ts";
import { type Coverage, ownFeeds, toCoverage } from "./coverage.ts";
import { notFound, refuseNoId } from "./refusal.ts";
import { checkScope } from "./workspaces.ts";

export type CoveredApp = App & { feeds: Coverage[] };

type Scope = { workspaceId: string | null };

export async function listCoveredApps(
  rooms: {
    clock: Clock;
    keep: Pick<Keep, "findWorkspace" | "listApps" | "listFeeds" | "findListing">;
  },
  scope: Scope,
): Promise<CoveredApp[]> {
  const { clock, keep } = rooms;
  const apps = await keep.listApps(await checkScope(keep, scope.workspaceId));
  const covered: CoveredApp[] = [];
  for (const app of apps) {
    const listing = await keep.findListing(app.listingId);
    const feeds = ownFeeds(await keep.listFeeds(app.listingId), app);
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
  Partial<Omit<PassReport, "outcome" | "stopReason">> & { isHeldElsewhere: boolean };

/** What a pass did for each feed, beside what is now known of it; feeds of other workers included. */
export async function joinCoverage(
  rooms: { clock: Clock; keep: Pick<Keep, "listFeeds"> },
  done: {
    app: App;
    listing: Listing;
    reports: readonly PassReport[];
    held: readonly Pick<Feed, "kind" | "region">[];
  },
): Promise<CollectedFeed[]> {
  const now = rooms.clock.now();
  const feeds = await rooms.keep.listFeeds(done.listing.id);
  const isSame = (feed: Feed) => (one: { kind: string; region: string }) =>
    one.kind === feed.kind && one.region === feed.region;
  return feeds.map((feed) => ({
    ...toCoverage(feed, { ...done, now }),
    ...done.reports.find(isSame(feed)),
    isHeldElsewhere: done.held.some(isSame(feed)),
  }));
}

export async function requireApp(
  keep: Pick<Keep, "findApp">,
  wanted: Scope & { field: string; id: string },
): Promise<App> {
  refuseNoId(wanted.field, wanted.id);
  const app = await keep.findApp({ id: wanted.id, workspaceId: wanted.workspaceId });
  if (!app) throw notFound("app", wanted.id);
  return app;
}

/** The listing keeps what other workspaces follow; without any other app it goes, with its reviews. */
export async function removeApp(
  rooms: { clock: Clock; keep: Pick<Keep, "transaction" | "notify">; actor: string },
  removed: Scope & { id: string },
): Promise<App> {
  refuseNoId("id", removed.id);
  const app = await rooms.keep.transaction(async (tx) => {
    const { app, listing } = await holdApp(tx, removed);
    await tx.deleteApp(app.id);
    await releaseListing(tx, { listing, now: rooms.clock.now() });
    const { id: subject, workspaceId, name, store, externalAppId } = app;
    const detail = { name, store, externalAppId };
    await recordAct(rooms, tx, { action: "app.removed", subject, workspaceId, detail });
    return app;
  });
  await rooms.keep.notify("apps", app.workspaceId);
  return app;
}

type Tx = Parameters<Parameters<Keep["transaction"]>[0]>[0];

/** The app and its listing, locked; an import may move the app to another listing meanwhile. */
export async function holdApp(
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
  if (!isGone) await followRegions(tx, left);
}
