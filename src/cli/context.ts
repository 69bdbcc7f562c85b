// What the commands need of the world: the rooms for most of them, and the long-running services.

import { toCrawlDeps, openContainer, type Container } from "../app/container.ts";
import { listProviderChoices } from "../app/workers/enrichment-workers.ts";
import { type Config, type Role, readConfig } from "../config/config.ts";
import type { OnPage } from "../crawling/crawl-report.ts";
import { type CrawledListing, crawlListing } from "../crawling/crawl-worker.ts";
import { startDemo } from "../demo/demo.ts";
import type { Listing } from "../domain/listing.ts";
import type { Plan } from "../domain/workspace.ts";
import { systemClock } from "../lib/clock.ts";
import { type LogLevel, createLog } from "../lib/log.ts";
import { startService } from "../main.ts";
import type { ProviderConfig } from "../use-cases/analysis/providers.ts";
import { runDoctor as runDoctor, type Finding } from "./doctor.ts";

export type CliContext = Pick<
  Container,
  | "analyzer"
  | "clock"
  | "database"
  | "stores"
  | "ingest"
  | "recordSnapshots"
  | "secretBox"
  | "checkUrl"
  | "close"
> & {
  /** Who acts, for the audit. */
  actor: "cli";
  defaultPlan: Plan;
  /** What the settings say of translating and analysing. */
  providers: readonly ProviderConfig[];
  /** Migrations that opening applied. */
  appliedMigrations: readonly string[];
  collect(asked: { listing: Listing; onPage: OnPage }): Promise<CrawledListing>;
};

export type Running = { url: string; close(): Promise<void> };

/** What runs until it is told to stop. */
export type Services = {
  /** null: the roles of the settings. */
  startService(roles: readonly Role[] | null): Promise<Running>;
  startDemo(print: (line: string) => void): Promise<Running>;
  /** What the service needs, and whether it is there. */
  examine(): Promise<Finding[]>;
  /** Resolves when this process is asked to end. */
  untilStopped(): Promise<void>;
};

/** Opens the rooms for one command. Two can be open at once: a command beside the service. */
export async function openContext(onProgress: (sentence: string) => void): Promise<CliContext> {
  const config = readConfig();
  const deps = await openContainer({ config, log: createLog(quieter(config)), onProgress });
  return {
    ...deps,
    actor: "cli",
    defaultPlan: config.defaultPlan,
    providers: listProviderChoices(config),
    collect: (asked) => crawlListing(toCrawlDeps(deps), asked),
  };
}

export function openServices(note: (line: string) => void): Services {
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
      return startDemo({ config, log: createLog(quieter(config)), print });
    },
    examine: () => runDoctor({ config: readConfig(), clock: systemClock }),
    untilStopped: () =>
      new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      }),
  };
}

// A person at a terminal wants the answer; what a service notes as it runs is not for them.
function quieter(config: Config): LogLevel {
  return config.logLevel === "info" ? "warn" : config.logLevel;
}
