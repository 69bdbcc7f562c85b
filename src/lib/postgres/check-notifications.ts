// Whether notifications arrive over a connection: poolers in transaction mode take LISTEN and never deliver.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import pg from "pg";
import { explainFailure } from "../failure-causes.ts";
import { secondMs } from "../timestamp.ts";
import type { PrimaryConfig } from "./primary-client.ts";

const timeoutMs = 10 * secondMs;
const arrivalMsMax = 2 * secondMs;

/** Null where they arrive, else a sentence with the reason. */
export async function findNotificationFault(config: PrimaryConfig): Promise<string | null> {
  const [listener, sender] = [openClient(config), openClient(config)];
  try {
    await Promise.all([listener.connect(), sender.connect()]);
    return (await doNotificationsArrive(listener, sender)) ? null : notDelivered;
  } catch (error) {
    return explainFailure(error, { who: "PostgreSQL", timeoutMs }).reason;
  } finally {
    await Promise.all([listener, sender].map((client) => client.end().catch(() => {})));
  }
}

function openClient(config: PrimaryConfig): pg.Client {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: timeoutMs });
  client.on("error", () => {});
  return client;
}

/**
 * @param sender another connection: a pooler may run both statements of one on the same server connection
 * @throws the error of a connection
 */
export async function doNotificationsArrive(
  listener: pg.Client,
  sender: Pick<pg.ClientBase, "query">,
): Promise<boolean> {
  const name = `starpost_test_${randomUUID()}`;
  await listener.query(`listen "${name}"`);
  const limit = AbortSignal.timeout(arrivalMsMax);
  // Together: when both connections break, neither rejection may go unhandled, which would end the process.
  const [hasArrived] = await Promise.all([
    waitFor(listener, name, limit),
    sender.query("select pg_notify($1, '')", [name]),
  ]);
  await listener.query(`unlisten "${name}"`);
  return hasArrived;
}

async function waitFor(listener: pg.Client, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    for (;;) {
      const [notification] = await once(listener, "notification", { signal });
      if (notification.channel === name) return true;
    }
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

const notDelivered =
  "notifications don't arrive: behind a pooler, DATABASE_LISTEN_URL must name PostgreSQL itself";
