// Starts simulated stores of any size: generated apps, generated keys for the official APIs, and the
// settings that point a service at them.
import { storeBaseSettings } from "../src/config/config.ts";
import { ofEachStore, type StoreId } from "../src/domain/store/store-id.ts";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { Catalogue } from "./catalogue.ts";
import type { FaultName } from "./faults.ts";
import { openSimulator } from "./simulator.ts";
import { generateStoreKeys } from "./store-keys.ts";
import { StoreState } from "./store-state.ts";

export type StartSimulationOptions = {
  /** 0 picks a free port. */
  port: number;
  /** Apps in each store. */
  apps: number;
  /** Reviews of each app, over all its regions. */
  reviews: number;
  seed: number;
  /** Switched on from the start, for every request. */
  faults?: readonly FaultName[];
};

export type Simulation = {
  url: string;
  /** Environment of a service that reads these stores instead of the real ones. */
  settings: Readonly<Record<string, string>>;
  /** The first app of each store. */
  apps: Readonly<Record<StoreId, string>>;
  /** Valid for these stores alone, and only until they stop. */
  credentials: Pick<ReturnType<typeof generateStoreKeys>, "team" | "person" | "service">;
  close(): Promise<void>;
};

export async function startSimulation(options: StartSimulationOptions): Promise<Simulation> {
  let aheadMs = 0;
  const clock: Clock = { now: () => new Date(systemClock.now().getTime() + aheadMs) };
  const { port, apps: appCount, reviews: reviewCount, seed, faults = [] } = options;
  const catalogue = new Catalogue({ appCount, reviewCount, seed, openedAt: clock.now() });
  const { accounts, ...credentials } = generateStoreKeys();
  const storeState = new StoreState(clock, catalogue);
  const simulator = await openSimulator({
    clock,
    storeState,
    accounts,
    port,
    faults: faults.map((fault) => ({ fault })),
    advance: (durationMs) => {
      aheadMs += durationMs;
    },
  });
  const firstOf = (store: StoreId): string =>
    catalogue.appsFrom(store, { start: 0, count: 1 })[0]?.externalAppId ?? "";
  return {
    url: simulator.url,
    settings: {
      ...Object.fromEntries(baseUrlSettings.map((name) => [name, simulator.url])),
      // The simulated stores don't have the well-known apps of the daily check.
      COLLECT_CANARY: "false",
    },
    apps: ofEachStore(firstOf),
    credentials,
    close: () => simulator.close(),
  };
}

const baseUrlSettings = [
  ...storeBaseSettings,
  "APP_STORE_CONNECT_BASE_URL",
  "ANDROID_PUBLISHER_BASE_URL",
  "GOOGLE_OAUTH_BASE_URL",
  "GOOGLE_STORAGE_BASE_URL",
];
