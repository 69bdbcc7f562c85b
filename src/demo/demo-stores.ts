// Simulated faults of the demo's stores: a storefront that can't be read, icons at an address
// that is new in every run, and feeds that are read as soon as something happens in them.
import type { FaultFlags } from "../../simulator/fault-flags.ts";
import { sampleAppStoreApp } from "../../simulator/sample-stores.ts";
import type { StoreState } from "../../simulator/store-state.ts";
import type { Container } from "../app/container.ts";
import type { StoreId } from "../domain/store-id.ts";

const failingStorefront = "jp";

export async function makeStoresFail(
  deps: Container,
  demo: { workspaceId: string; faultFlags: FaultFlags },
): Promise<void> {
  const { workspaceId, faultFlags } = demo;
  const { externalAppId } = sampleAppStoreApp;
  faultFlags.enable({ fault: "html_instead", when: { externalAppId, region: failingStorefront } });
  await makeFeedDueNow(deps, { workspaceId, store: "appstore", region: failingStorefront });
}

/** Makes the feed of the store's first app due. */
export async function makeFeedDueNow(
  deps: Container,
  feed: { workspaceId: string; store: StoreId; region: string },
): Promise<void> {
  const apps = await deps.database.listApps({ workspaceId: feed.workspaceId });
  const app = apps.find(({ store }) => store === feed.store);
  if (!app) return;
  const { listingId } = app;
  const now = deps.clock.now();
  await deps.database.makeFeedDueNow({ listingId, kind: "reviews", region: feed.region, now });
  await deps.database.notify("feeds");
}

/** The simulated stores have another port in every run, which the icons' addresses contain. */
export async function refreshIcons(
  deps: Container,
  demo: { workspaceId: string; storeState: StoreState },
): Promise<void> {
  const { workspaceId, storeState } = demo;
  for (const app of await deps.database.listApps({ workspaceId })) {
    const inStore = storeState.appNow(app);
    if (!inStore) continue;
    const { name, iconUrl } = inStore;
    await deps.database.saveListingDetails({ id: app.listingId, name, iconUrl });
  }
}
