// A simulator with both real store clients on it, for tests of whatever reads stores.
import { MovableClock } from "../src/lib/clock.ts";
import { openHttpClient } from "../src/lib/http-client.ts";
import { openAppleStore } from "../src/stores/apple/apple-store.ts";
import { openGoogleStore } from "../src/stores/google/google-store.ts";
import type { FetchedPage, Store } from "../src/stores/store.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "./simulator.ts";
import { World } from "./world.ts";

export type StoreRig = {
  clock: MovableClock;
  world: World;
  simulator: Simulator;
  apple: Store;
  google: Store;
  close(): Promise<void>;
};

export async function openStoreRig(
  options: {
    totalTimeoutMs?: number;
    replay?: Extract<SimulatorOptions, { replay: unknown }>["replay"];
  } = {},
): Promise<StoreRig> {
  const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
  const world = new World(clock);
  const simulator = await openSimulator(
    options.replay ? { clock, replay: options.replay } : { clock, world },
  );
  const { totalTimeoutMs = 10_000 } = options;
  const client = openHttpClient({ userAgent: "Starpost/test", totalTimeoutMs });
  const { url } = simulator;
  return {
    clock,
    world,
    simulator,
    apple: openAppleStore({ http: client.http, itunesBaseUrl: url, appsBaseUrl: url }),
    google: openGoogleStore({ http: client.http, baseUrl: url }),
    close: async () => {
      await client.close();
      await simulator.close();
    },
  };
}

/** All pages of one feed, holes included, at most 50. */
export async function walkReviews(
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
