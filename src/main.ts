// The service: opens the rooms, starts the roles that this process has, and closes everything in
// reverse order when it is told to stop.

import { openApi } from "./api/api.ts";
import { openNotFound } from "./api/not-found.ts";
import { collectRoom, deliverSettings, openRooms, type Rooms } from "./app/container.ts";
import { announceSetup, openDashboard } from "./app/dashboard.ts";
import { openHttpServer, serveHttp } from "./app/http-server.ts";
import { type Metrics, openMetrics } from "./app/metrics.ts";
import { startAnalysisUpkeep } from "./app/workers/analysis-worker.ts";
import { startProviderWorkers } from "./app/workers/enrichment-workers.ts";
import type { Config } from "./config/config.ts";
import { startCollector } from "./crawling/crawl-worker.ts";
import { openDatabaseClock } from "./delivery/database-clock.ts";
import { DeliveryWorker } from "./delivery/delivery-worker.ts";
import type { Clock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import { ResourceStack } from "./lib/resource-stack.ts";
import { version } from "./lib/version.ts";

export type Service = {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string;
  /** Where the figures for Prometheus are; null without `METRICS_PORT`. */
  metricsUrl: string | null;
  deps: Rooms;
  /** Finishes what is in flight, then closes everything. */
  close(): Promise<void>;
};

export async function startService(start: {
  config: Config;
  log: Log;
  clock?: Clock;
  /** Told before what takes a moment. */
  onProgress?: (sentence: string) => void;
}): Promise<Service> {
  const { config, log } = start;
  const resources = new ResourceStack();
  try {
    const deps = await openRooms(start);
    resources.add(() => deps.close());
    // Listening comes first of the roles: a busy port must not leave half a service at work.
    const metrics = config.metricsPort === null ? null : openMetrics(deps);
    const url = await startAnswering(deps, { resources, metrics });
    const metricsUrl = await startMetrics(deps, { resources, metrics });
    if (config.roles.includes("deliver")) await startDelivering(deps, resources);
    if (config.roles.includes("collect")) {
      startCollecting(deps, resources);
      startProviderWorkers(deps, resources);
      startAnalysisUpkeep(deps, resources);
    }
    log.info({ url, metricsUrl, roles: config.roles, version }, "Starpost is ready");
    return { url, metricsUrl, deps, close: () => resources.closeAll() };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

type Start = { resources: ResourceStack; metrics: Metrics | null };

async function startAnswering(deps: Rooms, { resources, metrics }: Start): Promise<string> {
  const { clock, config, cursorKey, database, log } = deps;
  const api = config.roles.includes("api")
    ? openApi({
        clock,
        log,
        database,
        cursorKey,
        settings: {
          corsOrigins: config.apiCorsOrigins,
          publicUrl: config.publicUrl,
          version,
          isLimitShared: config.databaseUrl !== null,
        },
      })
    : null;
  resources.add(async () => api?.close());
  // Without sharing, two of them would each grant a key the whole limit.
  if (api && config.databaseUrl === null) resources.add(await database.holdSoleService());
  const hasDashboard = config.roles.includes("dashboard");
  const dashboard = hasDashboard ? await openDashboard(deps, resources) : null;
  const server = await openHttpServer({
    host: config.host,
    port: config.port,
    app: api,
    answerNotFound: api?.answerNotFound ?? openNotFound({ log, publicUrl: config.publicUrl }),
    dashboard,
    database,
    ...(metrics && { watch: metrics.watch }),
  });
  resources.add(() => server.close());
  if (hasDashboard) await announceSetup(deps, server.url);
  return server.url;
}

async function startMetrics(deps: Rooms, { resources, metrics }: Start): Promise<string | null> {
  const { host, metricsPort } = deps.config;
  if (!metrics || metricsPort === null) return null;
  const server = await serveHttp(metrics.server, {
    host,
    port: metricsPort,
    portSetting: "METRICS_PORT",
  });
  resources.add(() => server.close());
  return `${server.url}/metrics`;
}

async function startDelivering(deps: Rooms, resources: ResourceStack): Promise<void> {
  const { database, log } = deps;
  const queue = database.openDeliveryQueue();
  resources.add(() => queue.close());
  const readTime = () => queue.readDatabaseTime();
  const clock = await openDatabaseClock({ clock: deps.clock, log, readTime });
  resources.add(async () => clock.close());
  const worker = new DeliveryWorker({
    clock,
    log,
    queue,
    secrets: deps.secretBox,
    settings: deliverSettings(deps.config),
  });
  worker.start();
  resources.add(() => worker.close());
  resources.add(database.listen("deliveries", () => worker.wake()));
}

function startCollecting(deps: Rooms, resources: ResourceStack): void {
  const collector = startCollector(collectRoom(deps));
  resources.add(() => collector.close());
  resources.add(deps.database.listen("feeds", () => collector.wake()));
}
