// What the commands work with: the container for most of them, and the long-running services.
import { type Container, openContainer } from "../app/container.ts";
import { startService } from "../app/service.ts";
import { toCrawlDeps } from "../app/workers/crawl-worker.ts";
import { listProviderConfigs } from "../app/workers/enrichment-workers.ts";
import { type Config, type Role, readConfig } from "../config/config.ts";
import { type CrawledListing, crawlListing } from "../crawling/crawl-feed.ts";
import type { OnPage } from "../crawling/crawl-report.ts";
import { startDemo } from "../demo/demo.ts";
import type { Listing } from "../domain/listing.ts";
import type { Plan } from "../domain/workspace.ts";
import { systemClock } from "../lib/clock.ts";
import { createLog, type LogLevel } from "../lib/log.ts";
import type { ProviderConfig } from "../use-cases/analysis/providers.ts";
import {
  type BackupDeps,
  type BackupResult,
  type RestoreResult,
  runBackup,
  runRestore,
} from "./backup.ts";
import { type Finding, runDoctor } from "./doctor.ts";

export type CliContext = Pick<
  Container,
  | "analyzer"
  | "clock"
  | "database"
  | "stores"
  | "ingestReviews"
  | "ingestRatings"
  | "secretBox"
  | "checkUrl"
  | "close"
> & {
  /** How long the secret before a rotation signs as well. */
  secretOverlapMs?: number;
  /** Who acts, for the audit. */
  actor: "cli";
  defaultPlan: Plan;
  /** What the settings say of translating and analysing. */
  providers: readonly ProviderConfig[];
  /** Migrations that opening applied. */
  appliedMigrations: readonly string[];
  crawlListing(crawl: { listing: Listing; onPage: OnPage }): Promise<CrawledListing>;
};

export type Running = { url: string; close(): Promise<void> };

/** What commands do beside the container, most of it long-running. */
export type Services = {
  /** null: the roles of the settings. */
  startService(roles: readonly Role[] | null): Promise<Running>;
  startDemo(print: (line: string) => void): Promise<Running>;
  /** Checks everything that the service needs. */
  runDoctor(): Promise<Finding[]>;
  /** Writes the whole database into a file, which must not exist yet. */
  runBackup(options: { file: string; withKey: boolean }): Promise<BackupResult>;
  /** Restores such a file into the database of the settings, which must be empty. */
  runRestore(options: { file: string }): Promise<RestoreResult>;
  /** Resolves at SIGINT or SIGTERM. */
  untilStopped(): Promise<void>;
};

/** Opens the container for one command; the service may run at the same time. */
export async function openContext(onProgress: (sentence: string) => void): Promise<CliContext> {
  const config = readConfig();
  const deps = await openContainer({
    config,
    log: createLog(toCommandLogLevel(config)),
    onProgress,
  });
  return {
    ...deps,
    actor: "cli",
    defaultPlan: config.defaultPlan,
    providers: listProviderConfigs(config),
    crawlListing: (crawl) => crawlListing(toCrawlDeps(deps), crawl),
  };
}

export function createServices(note: (line: string) => void): Services {
  return {
    startService(roles) {
      const config = readConfig();
      return startService({
        config: { ...config, roles: roles ? [...roles] : config.roles },
        log: createLog(config.logLevel),
        onProgress: note,
      });
    },
    startDemo(print) {
      const config = readConfig();
      return startDemo({ config, log: createLog(toCommandLogLevel(config)), print });
    },
    runDoctor: () => runDoctor({ config: readConfig(), clock: systemClock }),
    runBackup: (options) => runBackup(createBackupDeps(note), options),
    runRestore: (options) => runRestore(createBackupDeps(note), options),
    untilStopped: () =>
      new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      }),
  };
}

function createBackupDeps(note: (line: string) => void): BackupDeps {
  const config = readConfig();
  return { config, clock: systemClock, log: createLog(toCommandLogLevel(config)), note };
}

// At a terminal the result counts; what a service logs while it runs would hide it.
function toCommandLogLevel(config: Config): LogLevel {
  return config.logLevel === "info" ? "warn" : config.logLevel;
}
