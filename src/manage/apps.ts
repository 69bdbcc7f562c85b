// The apps of a workspace: listed with the coverage of what is collected for them, and removed.
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { Feed } from "../reviews/feed.ts";
import type { App, Listing } from "../reviews/listing.ts";
import { followRegions } from "./app-regions.ts";
import { recordAct } from "./audit.ts";
import { notFound, refuseNoId } from "./refusal.ts";
import { checkScope } from "./workspaces.ts";

/** What a person may know of a feed; readings that are not believed yet stay inside. */
export type Coverage = Omit<Feed, "listingId" | "heldReading">;

export type CoveredApp = App & { feeds: Coverage[] };

type Scope = { workspaceId: string | null };

export async function listCoveredApps(
  keep: Pick<Keep, "findWorkspace" | "listApps" | "listFeeds">,
  scope: Scope,
): Promise<CoveredApp[]> {
  const apps = await keep.listApps(await checkScope(keep, scope.workspaceId));
  const covered: CoveredApp[] = [];
  for (const app of apps) {
    covered.push({ ...app, feeds: (await keep.listFeeds(app.listingId)).map(toCoverage) });
  }
  return covered;
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
  rooms: { clock: Clock; keep: Pick<Keep, "transaction">; actor: string },
  removed: Scope & { id: string },
): Promise<App> {
  refuseNoId("id", removed.id);
  return rooms.keep.transaction(async (tx) => {
    const { app, listing } = await holdApp(tx, removed);
    await tx.deleteApp(app.id);
    await releaseListing(tx, { listing, now: rooms.clock.now() });
    const { id: subject, workspaceId, name, store, externalAppId } = app;
    const detail = { name, store, externalAppId };
    await recordAct(rooms, tx, { action: "app.removed", subject, workspaceId, detail });
    return app;
  });
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

function toCoverage(feed: Feed): Coverage {
  const { listingId: _listing, heldReading: _held, ...coverage } = feed;
  return coverage;
}
