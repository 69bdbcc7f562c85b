// The seam for workspaces' own accounts at the stores: a feature hands them in.
import type { Config } from "../config/config.ts";
import type { ThrottledHttp } from "../crawling/throttle.ts";
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Http } from "../lib/http.ts";
import type { SecretBox } from "../lib/secret-box.ts";
import type { PublicStores } from "../stores/create-stores.ts";
import type { Store } from "../stores/store.ts";

/**
 * A store client for a credential and a listing: clients cache report files for one listing.
 *
 * @throws AppError `not_found` without such a credential, `invalid_setting` when it can't be decrypted, `unavailable` in a
 * product without store accounts
 */
export type OpenStoreClient = (credentialId: string, listingId: string) => Promise<Store>;

export type StoreClientDeps = {
  config: Config;
  clock: Clock;
  database: Pick<Database, "findCredentialSecret">;
  secretBox: Pick<SecretBox, "open">;
  http: Pick<ThrottledHttp, "http" | "wrapStore">;
  stores: PublicStores;
};

export type StoreAccounts = {
  createClients(deps: StoreClientDeps): OpenStoreClient;
  /** Why an account can't be used as it was entered, in words; null without a known fault. */
  findFault(
    deps: { config: Config; clock: Clock; http: Http },
    account: unknown,
  ): Promise<string | null>;
};

/** At most one. */
export const accountTable: (() => Promise<StoreAccounts>)[] = [];

const withoutAccounts: StoreAccounts = {
  createClients: () => async () => {
    throw new AppError("unavailable", "this product reads no accounts at stores");
  },
  findFault: async () => null,
};

export async function loadStoreAccounts(): Promise<StoreAccounts> {
  return (await accountTable[0]?.()) ?? withoutAccounts;
}
