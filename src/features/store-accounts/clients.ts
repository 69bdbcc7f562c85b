// Clients of workspaces' own accounts, through the stores' official APIs.

import { decryptSecret } from "../../app/encryption-key.ts";
import type { OpenStoreClient, StoreAccounts, StoreClientDeps } from "../../app/store-accounts.ts";
import type { Config } from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";
import { keepRecent } from "../../lib/bounded-map.ts";
import type { Store } from "../../stores/store.ts";
import { type CredentialSecret, credentialSecretSchema } from "./account.ts";
import { createAppStoreConnect } from "./apple/connect-store.ts";
import { createPlayDeveloper, findBucketFault } from "./google/play-store.ts";

export const accounts: StoreAccounts = {
  createClients,
  async findFault({ config, ...deps }, entered) {
    const account = credentialSecretSchema.parse(entered);
    if (!("bucket" in account)) return null;
    return findBucketFault({ ...deps, ...accountOf(config, account) });
  },
};

/** Where the APIs of a developer account are, and how to sign in there. */
function accountOf(config: Config, account: Extract<CredentialSecret, { bucket: unknown }>) {
  const { clientEmail, privateKey: privateKeyPem, privateKeyId: keyId, bucket } = account;
  return {
    oauthBaseUrl: config.googleOauthBaseUrl,
    storageBaseUrl: config.googleStorageBaseUrl,
    credential: { clientEmail, privateKeyPem, keyId, bucket },
  };
}

// Far more than one process uses at a time; beyond it the oldest client is dropped and created again.
const clientCountMax = 1_000;

function createClients(deps: StoreClientDeps): OpenStoreClient {
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
