// The users of the server: every process holds a shared advisory lock as long as it is connected, so that the last one
// to leave knows it, and a killed one no longer counts.
import type pg from "pg";
import { classifySqlError } from "../lib/postgres/sql-errors.ts";
import { serviceName } from "./connection.ts";

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

/** Makes the service's role and its database, once per cluster. Callers take turns. */
export async function ensureServiceDatabase(client: pg.Client, password: string): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [creationLock]);
  try {
    const { rows } = await client.query<{ hasRole: boolean; hasDatabase: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as "hasRole",
              exists (select from pg_database where datname = $1) as "hasDatabase"`,
      [serviceName],
    );
    if (!rows[0]?.hasRole) {
      const secret = client.escapeLiteral(password);
      await client.query(`create role ${serviceName} login createdb password ${secret}`);
    }
    // For SQL users.
    await client.query(`alter role ${serviceName} createrole`);
    if (!rows[0]?.hasDatabase) {
      await client.query(`create database ${serviceName} owner ${serviceName}`);
    }
  } finally {
    await client.query("select pg_advisory_unlock($1)", [creationLock]);
  }
}
