// Builds what the service is made of: the core, and the stores, the analysis and ingest on top of it.
// Everything that was opened is closed in reverse order.

import { type Healer, healers } from "../crawling/healer.ts";
import type { StoreCaller } from "../crawling/throttle.ts";
import { Witnesses } from "../crawling/witnesses.ts";
import { AppError } from "../domain/error.ts";
import type { StoreId } from "../domain/store/store-id.ts";
import type { IngestRatings, IngestReviews } from "../ingest/ingest-batch.ts";
import { createRatingsIngest } from "../ingest/ingest-ratings.ts";
import { createIngest } from "../ingest/ingest-reviews.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { ActiveShapes } from "../stores/shapes/active-shapes.ts";
import type { Store } from "../stores/store.ts";
import { findAnalysisFault } from "./analysis-files.ts";
import { type ContainerOptions, type Core, openCore } from "./core.ts";
import { providerTable } from "./providers.ts";
import { loadStoreAccounts, type OpenStoreClient } from "./store-accounts.ts";
import { createPublicStores, openThrottledHttp } from "./store-clients.ts";

export type { ContainerOptions } from "./core.ts";

export type Container = Core & {
  /** The public pages of each store. */
  stores: Readonly<Record<StoreId, Store>>;
  loadStores(): Promise<Container["stores"]>;
  /** The same for the requests of one caller, see `crawling/throttle.ts`. */
  storesFor(caller: StoreCaller): Readonly<Record<StoreId, Store>>;
  witnesses: Witnesses;
  /** Where the product has one. */
  healer?: Healer;
  /** A store through a workspace's own account, by the id of its credential. */
  openStoreClient: OpenStoreClient;
  ingestReviews: IngestReviews;
  ingestRatings: IngestRatings;
  /** Ends all requests to stores, now and from now on. */
  stopRequests(): void;
  storeRequestCounts(): { waitingCount: number };
  close(): Promise<void>;
};

/**
 * Makes the installation where there is none.
 * @throws AppError `invalid_setting` or `unavailable`; nothing stays open then
 */
export async function openContainer(options: ContainerOptions): Promise<Container> {
  const resources = new ResourceStack();
  try {
    const core = await openCore({ ...options, creates: true }, resources);
    const container = await extendCore(core, resources);
    return { ...container, close: () => resources.closeAll() };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

/** @throws AppError `unavailable` when the database is away, `internal` when the weights are damaged */
export async function extendCore(
  core: Core,
  resources: ResourceStack,
): Promise<Omit<Container, "close">> {
  const fault = findAnalysisFault();
  if (fault !== null) throw new AppError("internal", fault);
  const { clock, config, database, secretBox } = core;
  const http = openThrottledHttp({ config, clock, database, resources });
  const shapes = new ActiveShapes();
  const accounts = await loadStoreAccounts();
  const stores = createPublicStores(config, { accounts, clock, database, throttled: http, shapes });
  const openHealer = await healers[0]?.();
  const jobs = providerTable[0]?.openJobQueue(config);
  return {
    ...core,
    stores,
    loadStores: async () => stores,
    storesFor: (caller) => http.forCaller(stores, caller),
    witnesses: new Witnesses(),
    ...(openHealer && {
      healer: openHealer({ ...core, ...database, mode: config.collectHeal, shapes }),
    }),
    openStoreClient: accounts.createClients({ config, clock, database, secretBox, http, stores }),
    ingestReviews: createIngest({ clock, database, ...(jobs && { jobs }) }),
    ingestRatings: createRatingsIngest({ clock, database }),
    stopRequests: () => http.stop(),
    storeRequestCounts: () => http.counts(),
  };
}
