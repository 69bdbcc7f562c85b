// Clients of the public pages of the stores. They share one throttled HTTP client with those of accounts.

import { type Config, outgoingProxyOf } from "../config/config.ts";
import { type ThrottledHttp, type ThrottleOptions, throttleHttp } from "../crawling/throttle.ts";
import type { Database } from "../database/database.ts";
import { ofEachStore } from "../domain/store/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import { type Delay, systemDelay } from "../lib/delay.ts";
import { openHttpClient } from "../lib/http-client.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { lookupIdsMax } from "../stores/apple/lookup-client.ts";
import { createStores, type PublicStores } from "../stores/create-stores.ts";
import type { ActiveShapes } from "../stores/shapes/active-shapes.ts";
import type { StoreAccounts } from "./store-accounts.ts";

// More than twice the largest page that a store sends. It bounds what parsing one can take, see `npm run fuzz`.
const pageBytesMax = 3 * 1024 * 1024;

export function openThrottledHttp(options: {
  config: Config;
  clock: Clock;
  database: ThrottleOptions["hosts"];
  resources: ResourceStack;
}): ThrottledHttp {
  const { clock, config, database: hosts, resources } = options;
  const client = openHttpClient({ bodyBytesMax: pageBytesMax, proxy: outgoingProxyOf(config) });
  resources.add(() => client.close());
  const requestsPerSecond = config.collectRequestsPerSecond;
  const throttle = { clock, delay: systemDelay, random: Math.random, requestsPerSecond, hosts };
  return throttleHttp(throttle, client.http);
}

export function createPublicStores(
  config: Config,
  deps: {
    clock: Clock;
    database: Pick<Database, "listAppsOfStorefront">;
    throttled: ThrottledHttp;
    shapes: ActiveShapes;
    accounts: Pick<StoreAccounts, "findFault">;
  },
): PublicStores {
  const { accounts, clock, database, throttled, shapes } = deps;
  const { http } = throttled;
  // With a higher request rate, the waits between two attempts are shorter, too.
  const delay: Delay = (durationMs) => systemDelay(durationMs / config.collectRequestsPerSecond);
  const listCompanions = (region: string) =>
    database.listAppsOfStorefront({ store: "appstore", region, limit: lookupIdsMax });
  const stores = createStores(config, { http, clock, shapes, delay, listCompanions });
  const findAccountFault = (account: unknown): Promise<string | null> =>
    accounts.findFault({ config, clock, http }, account);
  return ofEachStore((store) => ({ ...throttled.wrapStore(stores[store]), findAccountFault }));
}
