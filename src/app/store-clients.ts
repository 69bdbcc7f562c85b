// Stores as a workspace's own account sees them: opened once for each listing that is read through it, with
// the key taken out of the box only here.

import type { Config } from "../config/config.ts";
import type { ThrottledHttp } from "../crawling/throttle.ts";
import type { Database } from "../database/database.ts";
import { type CredentialSecret, credentialSecretSchema } from "../domain/credential.ts";
import { AppError } from "../domain/error.ts";
import type { StoreId } from "../domain/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import type { SecretBox } from "../lib/secret-box.ts";
import { createAppStoreConnect } from "../stores/apple/connect/connect-store.ts";
import { createPlayDeveloper } from "../stores/google/official/play-store.ts";
import type { Store } from "../stores/store.ts";
import { decryptSecret } from "./encryption-key.ts";

/** What a store remembers of its files, it remembers for the listing that they were read for. */
export type OpenStoreClient = (credentialId: string, listingId: string) => Promise<Store>;

type Open = {
  config: Config;
  clock: Clock;
  database: Pick<Database, "findCredentialSecret">;
  secretBox: Pick<SecretBox, "open">;
  paced: ThrottledHttp;
  publicStores: Readonly<Record<StoreId, Store>>;
};

// Far more than one process reads through at a time; beyond it the oldest is opened anew.
const openCountMax = 1_000;

export function createStoreClients(open: Open): OpenStoreClient {
  // A credential never changes, so a store that was opened with it stays right.
  const stores = new Map<string, Store>();
  return async (credentialId, listingId) => {
    const name = `${credentialId} ${listingId}`;
    const known = stores.get(name);
    if (known) return known;
    const sealed = await open.database.findCredentialSecret(credentialId);
    if (!sealed) throw new AppError("not_found", `there is no credential ${credentialId}`);
    const box = { holder: "credential", id: credentialId, sealedSecret: sealed } as const;
    const secret = credentialSecretSchema.parse(JSON.parse(decryptSecret(open.secretBox, box)));
    const store = open.paced.wrapStore(openOfficialStore(open, secret), credentialId);
    const [oldest] = stores.keys();
    if (stores.size >= openCountMax && oldest !== undefined) stores.delete(oldest);
    stores.set(name, store);
    return store;
  };
}

function openOfficialStore(open: Open, secret: CredentialSecret): Store {
  const { clock, config, paced, publicStores } = open;
  const common = { http: paced.http, clock, publicStore: publicStores[secret.store] };
  if (secret.store === "appstore") {
    const { keyId, issuerId, privateKey: privateKeyPem } = secret;
    const baseUrl = config.appStoreConnectBaseUrl;
    return createAppStoreConnect({
      ...common,
      baseUrl,
      credential: { keyId, issuerId, privateKeyPem },
    });
  }
  const { clientEmail, privateKey: privateKeyPem, privateKeyId: keyId, bucket } = secret;
  return createPlayDeveloper({
    ...common,
    androidPublisherBaseUrl: config.androidPublisherBaseUrl,
    oauthBaseUrl: config.googleOauthBaseUrl,
    storageBaseUrl: config.googleStorageBaseUrl,
    credential: { clientEmail, privateKeyPem, keyId, bucket },
  });
}
