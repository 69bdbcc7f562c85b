// The users of the server: every process holds a shared advisory lock as long as it is connected, so that the last one
// to leave knows it, and a killed one no longer counts.
import pg from "pg";
import { closeDangerousFunctions } from "../../lib/postgres/dangerous-functions.ts";
import { classifySqlError } from "../../lib/postgres/sql-errors.ts";
import { type Address, adminConnection, serviceName } from "./connection.ts";

// Arbitrary numbers. Locks belong to a database: these are taken in `postgres`.
const usersLock = 7_215_002;
const creationLock = 7_215_003;

export async function takeSharedLock(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1)", [usersLock]);
}

/**
 * Gives up the shared lock. True when no other process has it; no other process can get it until the client ends.
 *
 * @throws the error of the connection
 */
export async function isLastUser(client: pg.Client): Promise<boolean> {
  try {
    await client.query("select pg_advisory_unlock_shared($1)", [usersLock]);
    const { rows } = await client.query<{ isAlone: boolean }>(
      `select pg_try_advisory_lock($1) as "isAlone"`,
      [usersLock],
    );
    return rows[0]?.isAlone === true;
  } catch (error) {
    // The server is gone: nothing is left to stop.
    if (classifySqlError(error) === "unavailable") return false;
    throw error;
  }
}

/**
 * Makes the service's role and its database, once per cluster, and takes from SQL users what could stop it. Callers take
 * turns: two who revoke one right at once would fail.
 */
export async function ensureServiceDatabase(client: pg.Client, address: Address): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [creationLock]);
  try {
    const { rows } = await client.query<{ hasRole: boolean; hasDatabase: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as "hasRole",
              exists (select from pg_database where datname = $1) as "hasDatabase"`,
      [serviceName],
    );
    if (!rows[0]?.hasRole) {
      const secret = client.escapeLiteral(address.password);
      await client.query(`create role ${serviceName} login createdb password ${secret}`);
    }
    // For SQL users.
    await client.query(`alter role ${serviceName} createrole`);
    if (!rows[0]?.hasDatabase) {
      await client.query(`create database ${serviceName} owner ${serviceName}`);
    }
    await closeFunctions(address);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [creationLock]);
  }
}

// Rights to functions belong to a database.
async function closeFunctions(address: Address): Promise<void> {
  const client = new pg.Client({ ...adminConnection(address), database: serviceName });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(closeDangerousFunctions(serviceName));
  } finally {
    await client.end();
  }
}
