// Who uses the server: every process holds a shared lock on a connection of its own, so the last one
// to leave knows it, and a killed one counts no longer.
import type pg from "pg";
import { isAway } from "../database/db.ts";
import type { Log } from "../lib/log.ts";
import { type Address, createDatabase, createAdminClient } from "./connection.ts";

// An arbitrary constant. Locks belong to a database: everybody takes it in `postgres`.
const presenceLock = 7_215_002;

export type Presence = {
  /** True once the server or the connection is gone. */
  isLost(): boolean;
  /** Gives up the lock; true when nobody else holds it, and nobody gets it until `end`. */
  isLast(): Promise<boolean>;
  end(): Promise<void>;
};

/** Null when the server went away meanwhile: the last of the others was just stopping it. */
export async function enter(
  log: Log,
  address: Address,
  onLost: () => void,
): Promise<Presence | null> {
  const client = createAdminClient(address);
  let lost = false;
  let watched = false;
  client.on("error", (error) => {
    if (watched) log.debug({ reason: error.message }, "the keeper's connection broke");
  });
  client.once("end", () => {
    lost = true;
    if (watched) onLost();
  });
  try {
    await client.connect();
    await client.query("select pg_advisory_lock_shared($1)", [presenceLock]);
    await createDatabase(client, address.password);
  } catch (error) {
    await client.end();
    if (isAway(error)) return null;
    throw error;
  }
  if (lost) return null;
  watched = true;
  return {
    isLost: () => lost,
    isLast() {
      watched = false;
      return takeAlone(client);
    },
    async end() {
      watched = false;
      await client.end();
    },
  };
}

async function takeAlone(client: pg.Client): Promise<boolean> {
  try {
    await client.query("select pg_advisory_unlock_shared($1)", [presenceLock]);
    const { rows } = await client.query<{ alone: boolean }>(
      "select pg_try_advisory_lock($1) as alone",
      [presenceLock],
    );
    return rows[0]?.alone === true;
  } catch (error) {
    // Gone already: nothing is left to stop.
    if (isAway(error)) return false;
    throw error;
  }
}
