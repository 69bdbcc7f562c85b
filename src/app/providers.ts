// The seam for providers: services of the operator's choice that translate or analyse reviews. A feature hands them in.
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { Chat, ProviderConfig, ProviderStatus } from "../domain/review/provider.ts";
import type { JobQueue } from "../ingest/ingest-batch.ts";
import type { Clock } from "../lib/clock.ts";
import type { Http } from "../lib/http.ts";

export type Providers = {
  listConfigs(config: Config): ProviderConfig[];
  /** @throws AppError `invalid_setting` when a provider lacks a setting */
  openJobQueue(config: Config): JobQueue;
  /** The language model that is set up; null without one. */
  createChat(config: Config, http: Http): Chat | null;
  readStatuses(deps: {
    clock: Clock;
    config: Config;
    database: Database;
  }): Promise<ProviderStatus[]>;
};

/** At most one. */
export const providerTable: Providers[] = [];

export function listProviderConfigs(config: Config): ProviderConfig[] {
  return providerTable[0]?.listConfigs(config) ?? [];
}
