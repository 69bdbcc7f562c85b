// A real PostgreSQL in the data folder for those who have none. The first process starts it, others use
// it, the last one stops it, and a server that was killed is started again.
import path from "node:path";
import type { Log } from "../../lib/log.ts";
import { ReconnectingConnection } from "../../lib/postgres/reconnecting-connection.ts";
import { classifySqlError } from "../../lib/postgres/sql-errors.ts";
import { createCluster, requireVersion } from "./cluster.ts";
import { type Address, adminConnection, type Connection, serviceConnection } from "./connection.ts";
import { claimDataFolder, loadPassword, requireCluster } from "./data-folder.ts";
import { ensureStarted, type ServerOptions } from "./ensure-started.ts";
import { resolveLayout } from "./layout.ts";
import { type SqlAddress, stopPostmaster } from "./postmaster.ts";
import { ensureServiceDatabase, isLastUser, takeSharedLock } from "./shared-lock.ts";

type EmbeddedOptions = {
  dataDir: string;
  /** Whether a database is made where the folder has none; otherwise that is an error, and nothing is written. */
  creates?: boolean;
  log: Log;
  /** Called with a sentence before each step that takes a moment. */
  onProgress?: (sentence: string) => void;
  /** Server settings on top of its postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
  /** An address for SQL users besides the private socket. */
  sqlAddress?: SqlAddress | undefined;
  /** Where root puts what the server's OS user could not reach otherwise. */
  sharedDir?: string;
};

/** @throws EmbeddedPostgresError whose message says what to do */
export async function openEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, log, onProgress, settings = {}, sharedDir = "/var/lib/starpost" } = options;
  if (options.creates === false) await requireCluster(dataDir);
  const folder = await claimDataFolder(dataDir);
  const layout = await resolveLayout({ log, folder, sharedDir });
  const password = await loadPassword(folder, layout.hasCluster);
  if (!layout.hasCluster) {
    onProgress?.("creating the database");
    await createCluster(layout, password);
  }
  await requireVersion(layout);
  const server = new EmbeddedServer(log, {
    layout,
    password,
    logFile: path.join(folder.path, "postgres.log"),
    settings,
    sqlAddress: options.sqlAddress,
    onStart: () => onProgress?.("starting the database"),
  });
  await server.ensureRunning();
  return server;
}

export class EmbeddedServer {
  readonly #options: ServerOptions;
  /** Holds the shared lock. When it is lost, connecting again also starts the server again. */
  readonly #connection: ReconnectingConnection;
  #address: Address | null = null;

  constructor(log: Log, options: ServerOptions) {
    this.#options = options;
    this.#connection = new ReconnectingConnection({
      log,
      name: "the embedded database",
      config: async (signal) => {
        const { address, how } = await ensureStarted(options, signal);
        log.debug({ how }, "the embedded database is up");
        this.#address = address;
        return adminConnection(address);
      },
      prepare: async (client) => {
        await takeSharedLock(client);
        if (this.#address) await ensureServiceDatabase(client, this.#address);
      },
    });
  }

  /** For pg.Pool and pg.Client. */
  get connection(): Connection {
    if (this.#address === null) throw new Error("the embedded server was not started");
    return serviceConnection(this.#address);
  }

  /**
   * Returns once the server answers, and starts it when it doesn't. A server that ends later is started
   * again without this call.
   */
  async ensureRunning(): Promise<void> {
    for (;;) {
      try {
        return await this.#connection.connect();
      } catch (error) {
        // Between the start and the lock, the last of the others was just stopping the server.
        if (classifySqlError(error) !== "unavailable") throw error;
      }
    }
  }

  /** Leaves, and stops the server if no other process uses it. Close pools first: this ends them. */
  async close(): Promise<void> {
    const client = await this.#connection.detach();
    if (client === null) return;
    try {
      if (await isLastUser(client)) await stopPostmaster(this.#options.layout.cluster);
    } finally {
      await client.end();
    }
  }
}
