// The service: opens the rooms, starts the roles that this process has, and closes everything in
// reverse order when it is told to stop.
import { startAnalysisUpkeep } from "./analysis-upkeep.ts";
import { openApi } from "./api/api.ts";
import { openNotFound } from "./api/refusal.ts";
import { startCollector } from "./collect/collector.ts";
import type { Config } from "./config.ts";
import { announceSetup, openDashboard } from "./dashboard.ts";
import { openDeliverer } from "./deliver/deliverer.ts";
import { openHttpServer, serveHttp } from "./http-server.ts";
import type { Clock } from "./lib/clock.ts";
import { Closers } from "./lib/closers.ts";
import type { Log } from "./lib/log.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { startProviderWorkers } from "./provider-workers.ts";
import { collectRoom, deliverSettings, openRooms, type Rooms } from "./rooms.ts";
import { version } from "./version.ts";

export type Service = {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string;
  /** Where the figures for Prometheus are; null without `METRICS_PORT`. */
  metricsUrl: string | null;
  rooms: Rooms;
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
  const closers = new Closers();
  try {
    const rooms = await openRooms(start);
    closers.add(() => rooms.close());
    // Listening comes first of the roles: a busy port must not leave half a service at work.
    const metrics = config.metricsPort === null ? null : openMetrics(rooms);
    const url = await startAnswering(rooms, { closers, metrics });
    const metricsUrl = await startMetrics(rooms, { closers, metrics });
    if (config.roles.includes("deliver")) startDelivering(rooms, closers);
    if (config.roles.includes("collect")) {
      startCollecting(rooms, closers);
      startProviderWorkers(rooms, closers);
      startAnalysisUpkeep(rooms, closers);
    }
    log.info({ url, metricsUrl, roles: config.roles, version }, "Starpost is ready");
    return { url, metricsUrl, rooms, close: () => closers.closeAll() };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

type Start = { closers: Closers; metrics: Metrics | null };

async function startAnswering(rooms: Rooms, { closers, metrics }: Start): Promise<string> {
  const { clock, config, cursorKey, keep, log } = rooms;
  const api = config.roles.includes("api")
    ? openApi({
        clock,
        log,
        keep,
        cursorKey,
        settings: {
          corsOrigins: config.apiCorsOrigins,
          publicUrl: config.publicUrl,
          version,
          isLimitShared: config.databaseUrl !== null,
        },
      })
    : null;
  closers.add(async () => api?.close());
  // Without sharing, two of them would each grant a key the whole limit.
  if (api && config.databaseUrl === null) closers.add(await keep.holdSoleService());
  const hasDashboard = config.roles.includes("dashboard");
  const dashboard = hasDashboard ? await openDashboard(rooms, closers) : null;
  const server = await openHttpServer({
    host: config.host,
    port: config.port,
    app: api,
    answerNotFound: api?.answerNotFound ?? openNotFound({ log, publicUrl: config.publicUrl }),
    dashboard,
    keep,
    ...(metrics && { watch: metrics.watch }),
  });
  closers.add(() => server.close());
  if (hasDashboard) await announceSetup(rooms, server.url);
  return server.url;
}

async function startMetrics(rooms: Rooms, { closers, metrics }: Start): Promise<string | null> {
  const { host, metricsPort } = rooms.config;
  if (!metrics || metricsPort === null) return null;
  const server = await serveHttp(metrics.server, {
    host,
    port: metricsPort,
    portSetting: "METRICS_PORT",
  });
  closers.add(() => server.close());
  return `${server.url}/metrics`;
}

function startDelivering(rooms: Rooms, closers: Closers): void {
  const deliverer = openDeliverer({
    clock: rooms.clock,
    log: rooms.log,
    queue: rooms.keep,
    secrets: rooms.secretBox,
    settings: deliverSettings(rooms.config),
  });
  deliverer.start();
  closers.add(() => deliverer.close());
  closers.add(rooms.keep.listen("deliveries", () => deliverer.wake()));
}

function startCollecting(rooms: Rooms, closers: Closers): void {
  const collector = startCollector(collectRoom(rooms));
  closers.add(() => collector.close());
  closers.add(rooms.keep.listen("feeds", () => collector.wake()));
}
