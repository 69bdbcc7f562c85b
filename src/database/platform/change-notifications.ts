// Tells every process what changed, over LISTEN/NOTIFY: "there is work", "a key was revoked". A message is
// lost while the connection is down, so listeners also poll now and then.

import { randomUUID } from "node:crypto";
import type pg from "pg";
import sql from "sql-template-tag";
import type { Log } from "../../lib/log.ts";
import { ReconnectingConnection } from "../../lib/postgres/reconnecting-connection.ts";
import { queryRows } from "../query.ts";

/**
 * `deliveries`, `feeds` and `jobs`: there is work. `keys`: a key or a plan changed.
 * `removals`: a large app was removed, whose reviews have to go. `topics`: a workspace's own topics changed.
 */
const changeTopics = ["deliveries", "feeds", "jobs", "keys", "removals", "topics"] as const;
export type ChangeTopic = (typeof changeTopics)[number];

type Listener = (payload: string) => void;

export type ChangeNotifications = {
  /**
   * Tells every process: this one at once, and once more with all others. Call it after the commit, and outside of
   * hot transactions: it takes a lock.
   */
  notify(topic: ChangeTopic, payload?: string): Promise<void>;
  /**
   * Calls the listener for each notification, and once with "" after each connect, because some may
   * have been missed. Returns how to stop.
   */
  listen(topic: ChangeTopic, listener: Listener): () => void;
};

export function openChangeNotifications(options: {
  log: Log;
  connection: pg.ClientConfig;
  pool: pg.Pool;
}): ChangeNotifications & { close(): Promise<void> } {
  const listeners = new Map<ChangeTopic, Set<Listener>>();
  const connection = new ReconnectingConnection({
    log: options.log,
    name: "the connection for change notifications",
    config: () => ({ ...options.connection, application_name: "starpost-notifications" }),
    async prepare(client) {
      client.on("notification", ({ channel, payload = "" }) => call(channel, payload));
      for (const topic of changeTopics) await client.query(`listen ${channelOf(topic)}`);
      await checkArrival(client, options);
      for (const topic of listeners.keys()) call(channelOf(topic), "");
    },
  });

  function call(channel: string, payload: string): void {
    for (const [topic, set] of listeners) {
      if (channelOf(topic) === channel) for (const listener of set) listener(payload);
    }
  }

  return {
    async notify(topic, payload = "") {
      // The way over the database takes longer than much of the work that it announces.
      call(channelOf(topic), payload);
      // Sent at the commit, which need not wait for the disk: what it reports is there already.
      const statement = sql`select set_config('synchronous_commit', 'off', true),
          pg_notify(${channelOf(topic)}, ${payload})`;
      await queryRows(options.pool, "notify", statement);
    },
    listen(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      // The first listener opens the connection: a command that only writes needs none.
      connection.start();
      return () => set.delete(listener);
    },
    close: () => connection.close(),
  };
}

const arrivalMsMax = 2_000;

// A pooler in transaction mode accepts LISTEN and delivers nothing.
async function checkArrival(
  client: pg.Client,
  { pool, log }: { pool: pg.Pool; log: Log },
): Promise<void> {
  const token = randomUUID();
  let report = (_hasArrived: boolean): void => {};
  const arrival = new Promise<boolean>((resolve) => {
    report = resolve;
  });
  client.on("notification", ({ payload }) => payload === token && report(true));
  await client.query(`listen ${testChannel}`);
  // From another connection: a pooler may run both statements of one on the same server connection.
  await queryRows(pool, "testNotify", sql`select pg_notify(${testChannel}, ${token})`);
  const timer = setTimeout(() => report(false), arrivalMsMax);
  const hasArrived = await arrival;
  clearTimeout(timer);
  if (hasArrived) return;
  log.warn(
    {},
    "change notifications don't arrive, so work is found by looking for it: DATABASE_URL goes through a pooler in transaction mode; set DATABASE_LISTEN_URL to the server itself",
  );
}

const testChannel = "starpost_test";

function channelOf(topic: ChangeTopic): string {
  return `starpost_${topic}`;
}
