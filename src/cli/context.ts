// The context of the commands: the core for most of them, the whole container for some, and the
// long-running services. Slow modules are imported when a command needs them.
import type { Container } from "../app/container.ts";
import type { Core } from "../app/core.ts";
import type { Config, Role } from "../config/config.ts";
import type { CrawledListing } from "../crawling/crawl-feed.ts";
import type { CrawlOptions } from "../crawling/crawl-reviews.ts";
import type { FeedKey } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { Plan } from "../domain/people/workspace.ts";
import type { ProviderConfig } from "../domain/review/provider.ts";
import type { Log, LogLevel } from "../lib/log.ts";
import { ResourceStack } from "../lib/resource-stack.ts";

export type CliContext = Pick<
  Core,
  | "clock"
  | "config"
  | "log"
  | "database"
  | "secretBox"
  | "secretOverlapMs"
  | "workspaceLimits"
  | "checkUrl"
  | "cursorKeys"
> & {
  /** The actor for the audit log. */
  actor: "cli";
  defaultPlan: Plan;
  /** The settings of translation and analysis. */
  providers: readonly ProviderConfig[];
  /** Stores, analysis and ingest on the same database. */
  loadContainer(): Promise<CliContainer>;
  close(): Promise<void>;
};

export type CliContainer = Pick<
  Container,
  "clock" | "database" | "stores" | "ingestReviews" | "ingestRatings"
> & {
  crawlListing(
    crawl: CrawlOptions & { listing: Listing; feeds?: readonly FeedKey[] },
  ): Promise<CrawledListing>;
};

export type Running = { url: string; close(): Promise<void> };

/** Operations of commands besides the container, most of them long-running. */
export type Services = ReturnType<typeof createServices>;

/**
 * Opens the core for one command on an installation that is there; the service may run at the same time.
 *
 * @throws AppError `invalid_setting` or `unavailable`
 */
export async function openContext(onProgress: (sentence: string) => void): Promise<CliContext> {
  const { openCore } = await import("../app/core.ts");
  const { listProviderConfigs } = await import("../app/providers.ts");
  const config = await loadConfig();
  const resources = new ResourceStack();
  try {
    const log = await openCommandLog(config);
    const core = await openCore({ config, log, onProgress, creates: false }, resources);
    let container: Promise<CliContainer> | null = null;
    return {
      ...core,
      actor: "cli",
      defaultPlan: config.defaultPlan,
      providers: listProviderConfigs(config),
      loadContainer() {
        container ??= loadContainer(core, resources);
        return container;
      },
      close: () => resources.closeAll(),
    };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

async function loadContainer(core: Core, resources: ResourceStack): Promise<CliContainer> {
  const { extendCore } = await import("../app/container.ts");
  const { toCrawlDeps } = await import("../app/workers/crawl-worker.ts");
  const { crawlListing } = await import("../crawling/crawl-feed.ts");
  const container = await extendCore(core, resources);
  return { ...container, crawlListing: (crawl) => crawlListing(toCrawlDeps(container), crawl) };
}

export function createServices(note: (line: string) => void) {
  return {
    /** @throws AppError `invalid_setting` */
    loadConfig,
    /** @param roles null: those of the settings */
    async startService(roles: readonly Role[] | null): Promise<Running> {
      const { startService } = await import("../app/service.ts");
      const { createLog } = await import("../lib/log.ts");
      const config = await loadConfig();
      const log = createLog(config.logLevel);
      const isTerminal = process.stderr.isTTY === true;
      return startService({
        config: { ...config, roles: roles ? [...roles] : config.roles },
        log,
        // Away from a terminal, programs read the log: each line is JSON.
        onProgress: isTerminal ? note : (sentence) => log.info({}, sentence),
        // A person looks for a link that can be clicked, not for a line of JSON.
        ...(isTerminal && {
          onSetupLink: (link) =>
            process.stderr.write(`\nOpen this link to create the first user:\n\n  ${link}\n\n`),
        }),
      });
    },
    /** Makes the installation where there is none; returns the names of the migrations that were applied. */
    async migrate(): Promise<readonly string[]> {
      const { openCore } = await import("../app/core.ts");
      const config = await loadConfig();
      const resources = new ResourceStack();
      const onProgress = (sentence: string): void => note(sentence);
      try {
        const log = await openCommandLog(config);
        const core = await openCore({ config, log, onProgress, creates: true }, resources);
        return core.appliedMigrations;
      } finally {
        await resources.closeAll();
      }
    },
    /** Resolves at SIGINT or SIGTERM. */
    untilStopped: () =>
      new Promise<void>((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      }),
  };
}

async function loadConfig(): Promise<Config> {
  const { readConfig } = await import("../config/config.ts");
  return readConfig();
}

// At a terminal the result counts; what a service logs while it runs would hide it.
export async function openCommandLog({ logLevel }: Config): Promise<Log> {
  const { createLog } = await import("../lib/log.ts");
  const level: LogLevel = logLevel === "info" ? "warn" : logLevel;
  return createLog(level);
}
