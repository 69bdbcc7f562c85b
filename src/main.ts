// The service: opens the rooms, starts the roles that this process has, and closes everything in
// reverse order when it is told to stop.
import { openApi } from "./api/api.ts";
import { startCollector } from "./collect/collector.ts";
import type { Config } from "./config.ts";
import { openDeliverer } from "./deliver/deliverer.ts";
import { openHttpServer } from "./http-server.ts";
import type { Clock } from "./lib/clock.ts";
import { Closers } from "./lib/closers.ts";
import type { Log } from "./lib/log.ts";
import { collectRoom, deliverSettings, openRooms, type Rooms } from "./rooms.ts";
import { version } from "./version.ts";

export type Service = {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string;
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
    const url = await startAnswering(rooms, closers);
    if (config.roles.includes("deliver")) startDelivering(rooms, closers);
    if (config.roles.includes("collect")) startCollecting(rooms, closers);
    log.info({ url, roles: config.roles, version }, "Starpost is ready");
    return { url, rooms, close: () => closers.closeAll() };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function startAnswering(rooms: Rooms, closers: Closers): Promise<string> {
  const { clock, config, cursorKey, keep, log } = rooms;
  const api = config.roles.includes("api")
    ? openApi({
        clock,
        log,
        keep,
        cursorKey,
        settings: { corsOrigins: config.apiCorsOrigins, publicUrl: config.publicUrl, version },
      })
    : null;
  closers.add(async () => api?.close());
  const server = await openHttpServer({ host: config.host, port: config.port, app: api, keep });
  closers.add(() => server.close());
  return server.url;
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
