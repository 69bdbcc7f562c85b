// A simulator with the real store clients connected to it, for tests of code that reads stores.

import type { ApiAccounts } from "../../simulator/api-auth.ts";
import { Catalogue, type CatalogueOptions } from "../../simulator/catalogue.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../simulator/simulator.ts";
import { StoreState } from "../../simulator/store-state.ts";
import { ofEachStore, type StoreId } from "../../src/domain/store/store-id.ts";
import { storeTraits } from "../../src/domain/store/store-traits.ts";
import type { Http } from "../../src/lib/http.ts";
import { openHttpClient } from "../../src/lib/http-client.ts";
import {
  createStores,
  type PublicStores,
  type StoreBases,
} from "../../src/stores/create-stores.ts";
import type { FetchedPage, Store } from "../../src/stores/store.ts";
import { MovableClock } from "./movable-clock.ts";
import { patience } from "./patience.ts";

export type StoreHarness = {
  clock: MovableClock;
  storeState: StoreState;
  simulator: Simulator;
  http: Http;
  stores: PublicStores;
  apple: Store;
  google: Store;
  close(): Promise<void>;
};

export async function openStoreHarness(
  options: {
    totalTimeoutMs?: number;
    accounts?: ApiAccounts;
    /** Generated apps in addition to those that a test adds. */
    catalogue?: Omit<CatalogueOptions, "openedAt">;
    /** Other apps that lookups bring along. */
    listCompanions?: (region: string) => Promise<readonly string[]>;
    replay?: Extract<SimulatorOptions, { replay: unknown }>["replay"];
  } = {},
): Promise<StoreHarness> {
  const { totalTimeoutMs = 10_000, accounts = {}, replay } = options;
  const { listCompanions } = options;
  const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
  const catalogue =
    options.catalogue && new Catalogue({ ...options.catalogue, openedAt: clock.now() });
  const storeState = new StoreState(clock, catalogue);
  const simulator = await openSimulator(
    replay ? { clock, replay } : { clock, accounts, storeState },
  );
  const client = openHttpClient({
    userAgent: "Starpost/test",
    totalTimeoutMs: patience(totalTimeoutMs),
  });
  const { http } = client;
  const { url } = simulator;
  const stores = createStores(storesAt(url), {
    ...{ http, clock },
    ...(listCompanions && { listCompanions }),
  });
  return {
    clock,
    storeState,
    simulator,
    http,
    stores,
    apple: stores.appstore,
    google: stores.googleplay,
    close: async () => {
      await client.close();
      await simulator.close();
    },
  };
}

/** All stores at the address of a simulator. */
export function storesAt(url: string): StoreBases {
  return {
    itunesBaseUrl: url,
    appleAppsBaseUrl: url,
    googlePlayBaseUrl: url,
    firefoxAddonsBaseUrl: url,
  };
}

/** The region that tests read a store's reviews in. */
export const testRegions: Readonly<Record<StoreId, string>> = ofEachStore((store) => {
  const { soleRegion, reviewsBy } = storeTraits[store];
  return soleRegion ?? (reviewsBy === "language" ? "en" : "us");
});

/** All pages of one feed, gaps included, at most 50. */
export async function crawlReviews(
  store: Store,
  app: { externalAppId: string; region: string },
): Promise<FetchedPage[]> {
  const pages: FetchedPage[] = [];
  let cursor: string | null = null;
  do {
    const page: FetchedPage = await store.fetchReviews({ ...app, cursor });
    pages.push(page);
    cursor = page.next;
  } while (cursor !== null && pages.length < 50);
  return pages;
}

/** The ids of all reviews in pages, in their order. */
export function idsOf(pages: readonly FetchedPage[]): string[] {
  return pages.flatMap((page) =>
    page.outcome === "ok" ? page.value.reviews.map((review) => review.storeReviewId) : [],
  );
}
