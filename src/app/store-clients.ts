// Clients of the stores: their public pages, and a workspace's own account through the official APIs. All
// of them share one throttled HTTP client.

import { type Config, outgoingProxyOf } from "../config/config.ts";
import { type ThrottledHttp, type ThrottleOptions, throttleHttp } from "../crawling/throttle.ts";
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { type CredentialSecret, credentialSecretSchema } from "../domain/store/credential.ts";
import { ofEachStore } from "../domain/store/store-id.ts";
import { createAppStoreConnect } from "../features/store-accounts/apple/connect-store.ts";
import {
  createPlayDeveloper,
  findBucketFault,
} from "../features/store-accounts/google/play-store.ts";
import { keepRecent } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";
import { type Delay, systemDelay } from "../lib/delay.ts";
import { openHttpClient } from "../lib/http-client.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import type { SecretBox } from "../lib/secret-box.ts";
import { lookupIdsMax } from "../stores/apple/lookup-client.ts";
import { createStores, type PublicStores } from "../stores/create-stores.ts";
import type { ActiveShapes } from "../stores/shapes/active-shapes.ts";
import type { Store } from "../stores/store.ts";
import { decryptSecret } from "./encryption-key.ts";

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
  },
): PublicStores {
  const { clock, database, throttled, shapes } = deps;
  const { http } = throttled;
  // With a higher request rate, the waits between two attempts are shorter, too.
  const delay: Delay = (durationMs) => systemDelay(durationMs / config.collectRequestsPerSecond);
  const listCompanions = (region: string) =>
    database.listAppsOfStorefront({ store: "appstore", region, limit: lookupIdsMax });
  const stores = createStores(config, { http, clock, shapes, delay, listCompanions });
  const findAccountFault = async (account: CredentialSecret): Promise<string | null> =>
    "bucket" in account ? findBucketFault({ http, clock, ...accountOf(config, account) }) : null;
  return ofEachStore((store) => ({ ...throttled.wrapStore(stores[store]), findAccountFault }));
}

/** Where the APIs of a developer account are, and how to sign in there. */
function accountOf(config: Config, account: Extract<CredentialSecret, { bucket: unknown }>) {
  const { clientEmail, privateKey: privateKeyPem, privateKeyId: keyId, bucket } = account;
  return {
    oauthBaseUrl: config.googleOauthBaseUrl,
    storageBaseUrl: config.googleStorageBaseUrl,
    credential: { clientEmail, privateKeyPem, keyId, bucket },
  };
}

/**
 * A store client for a credential and a listing: clients cache report files for one listing.
 *
 * @throws AppError `not_found` without such a credential, `invalid_setting` when it can't be decrypted
 */
export type OpenStoreClient = (credentialId: string, listingId: string) => Promise<Store>;

type StoreClientDeps = {
  config: Config;
  clock: Clock;
  database: Pick<Database, "findCredentialSecret">;
  secretBox: Pick<SecretBox, "open">;
  http: Pick<ThrottledHttp, "http" | "wrapStore">;
  stores: PublicStores;
};

// Far more than one process uses at a time; beyond it the oldest client is dropped and created again.
const clientCountMax = 1_000;

export function createStoreClients(deps: StoreClientDeps): OpenStoreClient {
  // A credential never changes, so its clients stay valid.
  const clients = new Map<string, Store>();
  return async (credentialId, listingId) => {
    const key = `${credentialId} ${listingId}`;
    const known = clients.get(key);
    if (known) return known;
    const found = await deps.database.findCredentialSecret(credentialId);
    if (!found) throw new AppError("not_found", `there is no credential ${credentialId}`);
    const { workspaceId, encryptedSecret } = found;
    const stored = { owner: "credential", id: credentialId, encryptedSecret } as const;
    const secret = credentialSecretSchema.parse(JSON.parse(decryptSecret(deps.secretBox, stored)));
    const client = deps.http.wrapStore(
      createOfficialStore(deps, secret, workspaceId),
      credentialId,
    );
    keepRecent(clients, { key, value: client, countMax: clientCountMax });
    return client;
  };
}

function createOfficialStore(
  deps: StoreClientDeps,
  secret: CredentialSecret,
  workspaceId: string,
): Store {
  const { clock, config, http, stores } = deps;
  const common = { http: http.http, clock, publicStore: stores[secret.store] };
  if ("issuerId" in secret) {
    const { keyId, issuerId, privateKey: privateKeyPem } = secret;
    const baseUrl = config.appStoreConnectBaseUrl;
    return createAppStoreConnect({
      ...common,
      baseUrl,
      credential: { keyId, issuerId, privateKeyPem },
    });
  }
  const { androidPublisherBaseUrl } = config;
  const account = accountOf(config, secret);
  return createPlayDeveloper({ ...common, androidPublisherBaseUrl, ...account, workspaceId });
}
