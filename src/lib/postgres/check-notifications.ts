// Whether notifications arrive over a connection: poolers in transaction mode take LISTEN and never deliver.
import { once } from "node:events";
import pg from "pg";
import { explainFailure } from "../failure-causes.ts";
import { secondMs } from "../timestamp.ts";
import type { PrimaryConfig } from "./primary-client.ts";

const timeoutMs = 10 * secondMs;

/** Null where they arrive, else a sentence with the reason. */
export async function findNotificationFault(config: PrimaryConfig): Promise<string | null> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: timeoutMs });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("listen starpost_doctor");
    const signal = AbortSignal.timeout(2 * secondMs);
    await Promise.all([
      once(client, "notification", { signal }),
      client.query("notify starpost_doctor"),
    ]);
    return null;
  } catch (error) {
    return error instanceof Error && error.name === "AbortError"
      ? notDelivered
      : explainFailure(error, { who: "PostgreSQL", timeoutMs }).reason;
  } finally {
    await client.end().catch(() => {});
  }
}

const notDelivered =
  "notifications don't arrive: behind a pooler, DATABASE_LISTEN_URL must name PostgreSQL itself";
