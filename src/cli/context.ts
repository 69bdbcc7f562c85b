// What the commands need of the world: the rooms for most of them, and the long-running services.
import { type CollectedListing, collectListing } from "../collect/collector.ts";
import type { OnPage } from "../collect/pass-report.ts";
import { type Config, type Role, readConfig } from "../config.ts";
import { startDemo } from "../demo/demo.ts";
import { systemClock } from "../lib/clock.ts";
import { type LogLevel, openLog } from "../lib/log.ts";
import { startService } from "../main.ts";
import type { ProviderChoice } from "../manage/providers.ts";
import { listProviderChoices } from "../provider-workers.ts";
import type { Listing } from "../reviews/listing.ts";
import type { Plan } from "../reviews/workspace.ts";
import { collectRoom, openRooms, type Rooms } from "../rooms.ts";
import { examine, type Finding } from "./doctor.ts";

export type CliContext = Pick<
  Rooms,
  | "analyst"
  | "clock"
  | "keep"
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
  providers: readonly ProviderChoice[];
  /** Migrations that opening applied. */
  migrated: readonly string[];
  collect(asked: { listing: Listing; onPage: OnPage }): Promise<CollectedListing>;
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
  const rooms = await openRooms({ config, log: openLog(quieter(config)), onProgress });
  return {
    ...rooms,
    actor: "cli",
    defaultPlan: config.defaultPlan,
    providers: listProviderChoices(config),
    collect: (asked) => collectListing(collectRoom(rooms), asked),
  };
}

export function openServices(note: (line: string) => void): Services {
  return {
    startService(roles) {
      const config = readConfig();
      return startService({
        config: { ...config, roles: roles ? [...roles] : config.roles },
        log: openLog(config.logLevel),
        onProgress: note,
      });
    },
    startDemo(print) {
      const config = readConfig();
      return startDemo({ config, log: openLog(quieter(config)), print });
    },
    examine: () => examine({ config: readConfig(), clock: systemClock }),
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
