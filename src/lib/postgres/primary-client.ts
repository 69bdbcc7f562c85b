// Connects to that one of several PostgreSQL servers which can be written to, as libpq does it with
// `target_session_attrs=read-write`: after a failover that is another one, without a moved address.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
import pg from "pg";
import { readServerUrls, type ServerConfig, type ServerRole } from "./server-urls.ts";

/** With `servers`, the host and the port are those of the primary. */
export type PrimaryConfig = pg.ClientConfig & { servers?: PrimaryServers };

const probeMsMax = 2_000;

/**
 * Connection options for a process; the URL may name several servers.
 * @throws Error for a URL that the settings would have refused, or whose files are gone
 */
export function connectionOf(text: string): PrimaryConfig {
  const [first, ...others] = requireServers(text, "primary");
  return others.length === 0
    ? first
    : { ...first, servers: new PrimaryServers([first, ...others]) };
}

/** To each server that a URL of standbys names. */
export function standbyConnectionsOf(text: string): PrimaryConfig[] {
  return requireServers(text, "standby");
}

function requireServers(text: string, role: ServerRole): [ServerConfig, ...ServerConfig[]] {
  const { servers, fault } = readServerUrls(text, role);
  const [first, ...others] = servers;
  if (first === undefined) throw new Error(`the URL of the database ${fault}`);
  return [first, ...others];
}

/** Which server was found last, for all connections of a process. */
export class PrimaryServers {
  readonly #servers: readonly ServerConfig[];
  #found: ServerConfig | null = null;
  #search: Promise<ServerConfig> | null = null;

  constructor(servers: readonly ServerConfig[]) {
    this.#servers = servers;
  }

  /**
   * Looks only when none is known. Callers that can't use the result call `forget`.
   * @throws what the last server answered, or an error that says that all of them are read-only
   */
  async find(): Promise<ServerConfig> {
    this.#search ??= this.#look().finally(() => {
      this.#search = null;
    });
    return this.#found ?? this.#search;
  }

  forget(): void {
    this.#found = null;
  }

  async #look(): Promise<ServerConfig> {
    if (this.#found !== null) return this.#found;
    let failure: unknown = null;
    for (const server of this.#servers) {
      try {
        if (await isPrimary(server)) {
          this.#found = server;
          return server;
        }
      } catch (error) {
        failure = error;
      }
    }
    throw failure ?? readOnly();
  }
}

async function isPrimary(server: ServerConfig): Promise<boolean> {
  const client = new pg.Client({
    ...server,
    connectionTimeoutMillis: probeMsMax,
    query_timeout: probeMsMax,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await isWritable(client);
  } finally {
    // A connection that broke has nothing left to end.
    await client.end().catch(() => {});
  }
}

async function isWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as is",
  );
  return rows[0]?.is === true;
}

/** The code is PostgreSQL's own for it, so that it counts as something that passes. */
function readOnly(): Error {
  const error = new Error("none of the servers that are reached can be written to");
  return Object.assign(error, { code: "25006" });
}

/** Like the driver's, unless its configuration names several servers. */
export class PrimaryClient extends pg.Client {
  readonly #servers: PrimaryServers | undefined;

  constructor(config: PrimaryConfig = {}) {
    super(config);
    this.#servers = config.servers;
    // A server can end a connection in the very packet that says it is ready, before a pool or any other caller
    // listens; an unhandled error event ends the process. Users of the connection get the error all the same.
    this.on("error", () => {});
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const servers = this.#servers;
    const connected: Promise<unknown> = servers ? this.#connectTo(servers) : super.connect();
    if (!callback) return connected.then(() => this);
    // The driver calls it without an error, too, which its types don't say.
    const report = callback as (error?: unknown) => void;
    connected.then(() => report(), report);
    return undefined;
  }

  async #connectTo(servers: PrimaryServers): Promise<void> {
    const { host, port } = new pg.Client(await servers.find());
    Object.assign(this, { host, port });
    try {
      await super.connect();
      // It may have become a standby since it was found.
      if (!(await isWritable(this))) throw readOnly();
    } catch (error) {
      servers.forget();
      throw error;
    }
  }
}
