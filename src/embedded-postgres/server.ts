// A real PostgreSQL in the data folder for those who have none. The first process starts it, others
// use it, the last one stops it, and one that was killed is started again.
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../lib/log.ts";
import { createCluster, requireVersion } from "./cluster.ts";
import { type Connection, serviceConnection } from "./connection.ts";
import { claimDataFolder, readPassword } from "./data-folder.ts";
import { resolveLayout } from "./layout.ts";
import { stopPostmaster } from "./postmaster.ts";
import { enter, type Presence } from "./shared-lock.ts";
import { ensureStarted, type ServerOptions } from "./start.ts";

export type EmbeddedOptions = {
  dataDir: string;
  log: Log;
  /** Told before what takes a moment. */
  onProgress?: (sentence: string) => void;
  /** Server settings on top of its postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
  /** Where root keeps what the server's account could not reach otherwise. */
  sharedDir?: string;
};

/** Errors are AppErrors `unavailable` whose message says what to do. */
export async function openEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, log, onProgress, settings = {}, sharedDir = "/var/lib/starpost" } = options;
  const folder = await claimDataFolder(dataDir);
  const place = await resolveLayout({ log, folder, sharedDir });
  const password = await readPassword(folder, place.hasCluster);
  if (!place.hasCluster) {
    onProgress?.("creating the database");
    await createCluster(place, password);
  }
  await requireVersion(place);
  const logFile = path.join(folder.path, "postgres.log");
  const server = new EmbeddedServer(log, {
    place,
    password,
    logFile,
    settings,
    onStart: () => onProgress?.("starting the database"),
  });
  await server.ensureRunning();
  return server;
}

const recoveryWaitMsMax = 30_000;

export class EmbeddedServer {
  readonly #log: Log;
  readonly #cluster: ServerOptions;
  readonly #closing = new AbortController();
  #presence: Presence | null = null;
  #connection: Connection | null = null;
  #entering: Promise<void> | null = null;
  #recovery: Promise<void> | null = null;

  constructor(log: Log, cluster: ServerOptions) {
    this.#log = log;
    this.#cluster = cluster;
  }

  /** For pg.Pool and pg.Client. */
  get connection(): Connection {
    if (this.#connection === null) throw new Error("the embedded server was not started");
    return this.#connection;
  }

  /** Returns once the server answers; starts it when it doesn't. It is also done unasked. */
  ensureRunning(): Promise<void> {
    this.#entering ??= this.#enter().finally(() => {
      this.#entering = null;
    });
    return this.#entering;
  }

  /** Leaves, and stops the server if nobody else uses it. Close pools first: this ends them. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#recovery;
    const presence = this.#presence;
    this.#presence = null;
    if (presence === null) return;
    try {
      if (await presence.isLast()) await stopPostmaster(this.#cluster.place.cluster);
    } finally {
      await presence.end();
    }
  }

  async #enter(): Promise<void> {
    while (this.#presence === null || this.#presence.isLost()) {
      const { address, how } = await ensureStarted(this.#cluster, this.#closing.signal);
      this.#presence = await enter(this.#log, address, () => this.#onLost());
      this.#connection = serviceConnection(address);
      if (this.#presence !== null) this.#log.debug({ how }, "the embedded database is up");
    }
  }

  #onLost(): void {
    if (this.#closing.signal.aborted) return;
    this.#log.warn({}, "the embedded database went away; starting it again");
    this.#recovery ??= this.#recover().finally(() => {
      this.#recovery = null;
    });
  }

  async #recover(): Promise<void> {
    const { signal } = this.#closing;
    for (let waitMs = 500; !signal.aborted; waitMs = Math.min(waitMs * 2, recoveryWaitMsMax)) {
      try {
        await this.ensureRunning();
        this.#log.info({}, "the embedded database is back");
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = error instanceof Error ? error.message : String(error);
        this.#log.error({ reason }, "the embedded database does not start; trying again");
      }
      // Rejects only when closing, which ends the loop as well.
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
