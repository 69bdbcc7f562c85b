// Figures that are read at each scrape: what waits in the database and since when, connections to it, and
// requests to stores.
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import { findStorageFault } from "../lib/postgres/sql-errors.ts";
import { secondMs } from "../lib/timestamp.ts";

export type BacklogDeps = {
  clock: Clock;
  database: Database;
  storeRequestCounts: () => { waitingCount: number };
};

const pendingCountMax = 100_000;
/** Reasons why feeds fail: few, and one beyond them is not worth a longer answer. */
const reasonsMax = 100;

/**
 * Returns a function that reads them all.
 *
 * @throws AppError `unavailable` from it; what comes from the database is unknown then, which is not zero
 */
export function createBacklogMetrics(registry: Registry, deps: BacklogDeps): () => Promise<void> {
  const gauges = createGauges(registry);
  return async () => {
    readProcess(gauges, deps);
    try {
      await readDatabase(gauges, deps);
    } catch (error) {
      for (const gauge of Object.values(gauges.database)) gauge.reset();
      for (const gauge of Object.values(gauges.plain)) gauge.set(Number.NaN);
      throw error;
    }
  };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `starpost_${name}`, help, labelNames, registers: [registry] });
  return {
    plain: {
      breakers: gauge(
        "store_breakers_open",
        "Circuit breakers of hosts or store accounts that are open, of all processes.",
      ),
      pending: gauge(
        "deliveries_pending",
        `Deliveries that wait; ${pendingCountMax} stands for that many or more.`,
      ),
      deliveryLag: gauge(
        "delivery_lag_seconds",
        "How long the longest waiting channel has been due.",
      ),
      channels: gauge("channels", "Webhook channels."),
      failing: gauge("channels_failing", "Channels whose last attempt failed."),
      writable: gauge(
        "database_writable",
        "Whether the database can be written to; 0 while it is read-only or its disk is full.",
      ),
      feedLag: gauge("feed_lag_seconds", "How long the longest waiting feed has been due."),
    },
    database: {
      feeds: gauge("feeds", "Feeds by the outcome of their last crawl.", ["outcome"]),
      failingFeeds: gauge(
        "feeds_failing",
        "Feeds of a store that could not be read, or not whole.",
        ["store"],
      ),
      crawlLag: gauge(
        "crawl_lag_seconds",
        "How long the longest waiting feed of a store and kind has been due.",
        ["store", "kind"],
      ),
      incidents: gauge(
        "layout_incidents",
        "Changes of a store's layout that hold reviews back, until a page passes or an operator accepts it.",
        ["store", "source", "kind"],
      ),
      shapes: gauge(
        "learned_shapes",
        "Shapes of the stores' pages that were learned or imported, by their state.",
        ["name", "state"],
      ),
      parsers: gauge(
        "parser_ok",
        "Whether a page of a well-known app was read as it should be, once a day; 0 when something looked wrong.",
        ["store", "endpoint"],
      ),
      jobs: gauge("provider_jobs", "Jobs that wait for a provider.", ["kind"]),
      jobLag: gauge("provider_job_lag_seconds", "How long the longest waiting job has been due.", [
        "kind",
      ]),
    },
    process: {
      connections: gauge(
        "database_connections",
        "Connections of this process by state: open, idle; and queries that wait for one.",
        ["state"],
      ),
      waiting: gauge(
        "store_requests_waiting",
        "Requests to stores that wait for their turn, or for the response.",
      ),
    },
  };
}

function readProcess({ process }: Gauges, { database, storeRequestCounts }: BacklogDeps): void {
  for (const [state, count] of Object.entries(database.connectionCounts())) {
    process.connections.set({ state }, count);
  }
  process.waiting.set(storeRequestCounts().waitingCount);
}

async function readDatabase(gauges: Gauges, { clock, database }: BacklogDeps): Promise<void> {
  const now = clock.now();
  gauges.plain.writable.set((await isWritable(database)) ? 1 : 0);
  const figures = await database.readServiceMetrics({ now, pendingCountMax });
  const classes = await database.listFeedClasses({ now, lateBefore: now });
  const jobs = await database.listJobBacklogs({ now });
  gauges.plain.pending.set(figures.pendingCount);
  gauges.plain.deliveryLag.set(figures.deliveryLagSeconds);
  gauges.plain.channels.set(figures.channelCount);
  gauges.plain.failing.set(figures.failingChannelCount);
  gauges.plain.feedLag.set(figures.feedLagSeconds);
  const failing = await database.listFailingFeeds(reasonsMax);
  const {
    feeds,
    failingFeeds,
    crawlLag,
    incidents,
    shapes,
    parsers,
    jobs: jobCount,
    jobLag,
  } = gauges.database;
  for (const gauge of Object.values(gauges.database)) gauge.reset();
  gauges.plain.breakers.set(await database.countOpenBreakers(now));
  for (const { store, source, kind, acceptedAt } of await database.listLayoutIncidents()) {
    if (acceptedAt === null) incidents.inc({ store, source, kind });
  }
  for (const { name, state } of await database.listLearnedShapes()) shapes.set({ name, state }, 1);
  for (const { store, endpoint, fault } of await database.listStoreChecks()) {
    parsers.set({ store, endpoint }, fault === null ? 1 : 0);
  }
  for (const { store, count } of failing) failingFeeds.inc({ store }, count);
  for (const { outcome, count } of figures.feeds) feeds.set({ outcome }, count);
  const secondsSince = (since: Date | null): number =>
    since ? (now.getTime() - since.getTime()) / secondMs : 0;
  for (const { store, kind, dueSince } of classes) {
    crawlLag.set({ store, kind }, secondsSince(dueSince));
  }
  for (const { kind, count, dueSince } of jobs) {
    jobCount.set({ kind }, count);
    jobLag.set({ kind }, secondsSince(dueSince));
  }
}

/** @throws AppError `unavailable` while the database is away */
async function isWritable(database: Database): Promise<boolean> {
  try {
    await database.requireWritable();
    return true;
  } catch (error) {
    if (error instanceof AppError && findStorageFault(error.cause) !== null) return false;
    throw error;
  }
}
