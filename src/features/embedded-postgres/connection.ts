// How to connect to the embedded server, and a probe that finds out whether it serves this cluster.
import pg from "pg";
import { errorCode } from "../../lib/errors.ts";
import { classifySqlError } from "../../lib/postgres/sql-errors.ts";
import { EmbeddedPostgresError } from "./error.ts";

/** A pg.ClientConfig with nothing left to the PG* variables of the environment. */
export type Connection = {
  /** The folder of the Unix socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl: false;
};

/** The service's own role: owner of its database, no superuser, as on any external PostgreSQL. */
export const serviceName = "starpost";

export type Address = { host: string; port: number; password: string };

export function serviceConnection(address: Address): Connection {
  return { ...address, user: serviceName, database: serviceName, ssl: false };
}

/** As superuser, whose connection slots are reserved: it never waits for those of the service. */
export function adminConnection(address: Address): Connection & pg.ClientConfig {
  return {
    ...address,
    user: "postgres",
    database: "postgres",
    ssl: false,
    connectionTimeoutMillis: 5_000,
    application_name: "starpost-embedded-server",
  };
}

/** `starting`: it lives but accepts no connection yet, or no longer. `silent`: no server answers. */
type ProbeResult = "ready" | "starting" | "silent";

/**
 * Connects, and makes sure that the answering server holds this lock file, by letting the server read its own.
 * Paths and process ids may differ, as between two containers on one volume.
 * @throws EmbeddedPostgresError when the server refuses the password
 */
export async function probe(address: Address, lockText: string): Promise<ProbeResult> {
  const client = new pg.Client(adminConnection(address));
  // A connection that breaks is reported by the query or by connect as well.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ lock: string }>(
      "select pg_read_file('postmaster.pid') as lock",
    );
    return isSameStart(rows[0]?.lock ?? "", lockText) ? "ready" : "silent";
  } catch (error) {
    return toProbeResult(error);
  } finally {
    await client.end();
  }
}

// Process id, data folder and start time; the state further down changes while the server starts.
function isSameStart(one: string, other: string): boolean {
  return one.split("\n", 3).join() === other.split("\n", 3).join();
}

function toProbeResult(error: unknown): ProbeResult {
  const code = errorCode(error);
  if (code === "28P01" || code === "28000") {
    throw new EmbeddedPostgresError(
      "the database refuses its password: postgres.password and the cluster don't belong together; restore both from one backup",
      { cause: error },
    );
  }
  // 57P03: starting up, recovering or shutting down. 57P01: shutting down.
  if (code === "57P03" || code === "57P01") return "starting";
  // The driver's message, without a code, for a socket that accepts the connection and never answers:
  // a server is there.
  if (error instanceof Error && error.message === "timeout expired") return "starting";
  if (classifySqlError(error) === "unavailable") return "silent";
  throw error;
}
