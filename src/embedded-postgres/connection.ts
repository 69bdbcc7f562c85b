// How to reach the embedded server, and what it answers when one knocks.
import pg from "pg";
import { isAway } from "../database/db.ts";
import { AppError } from "../domain/error.ts";

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

/** For the server's own affairs: its slots are reserved, so they never wait for the service's. */
export function createAdminClient(address: Address): pg.Client {
  return new pg.Client({
    ...address,
    user: "postgres",
    database: "postgres",
    ssl: false,
    connectionTimeoutMillis: 5_000,
    application_name: "starpost keeper",
  });
}

/** `starting`: it lives but takes nobody in yet, or no longer. */
export type ProbeResult = "ready" | "starting" | "silent";

/**
 * Really connects, and makes sure that who answers is the holder of this lock: it is asked to read
 * its own lock file. Paths and process ids may differ, as between two containers on one volume.
 */
export async function probe(address: Address, lockText: string): Promise<ProbeResult> {
  const client = createAdminClient(address);
  // A connection that breaks is told by the query or by connect as well.
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

// Process id, data folder and start time; the state further down changes while it starts.
function isSameStart(one: string, other: string): boolean {
  return one.split("\n", 3).join() === other.split("\n", 3).join();
}

/** Once per cluster: the service's role and its database. Callers take turns. */
export async function createDatabase(owner: pg.Client, password: string): Promise<void> {
  await owner.query("select pg_advisory_lock($1)", [creationLock]);
  try {
    const { rows } = await owner.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $1) as database`,
      [serviceName],
    );
    if (!rows[0]?.role) {
      const secret = owner.escapeLiteral(password);
      await owner.query(`create role ${serviceName} login createdb password ${secret}`);
    }
    if (!rows[0]?.database) {
      await owner.query(`create database ${serviceName} owner ${serviceName}`);
    }
  } finally {
    await owner.query("select pg_advisory_unlock($1)", [creationLock]);
  }
}

// An arbitrary constant: who holds it looks and creates.
const creationLock = 7_215_003;

function toProbeResult(error: unknown): ProbeResult {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "28P01" || code === "28000") {
    throw new AppError(
      "unavailable",
      "the database refuses its password: postgres.password and the cluster don't belong together; restore both from one backup",
      { cause: error },
    );
  }
  // 57P03: starting up, recovering or shutting down. pg's own word for a socket that takes the call
  // and says nothing has no code: somebody lives there.
  if (code === "57P03" || code === "57P01") return "starting";
  if (error instanceof Error && error.message === "timeout expired") return "starting";
  if (isAway(error)) return "silent";
  throw error;
}
