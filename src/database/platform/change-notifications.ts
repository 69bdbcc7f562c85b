// Tells every process what changed, over LISTEN/NOTIFY, such as that there is work. A message is
// lost while the connection is down, so listeners also poll now and then.

import pg from "pg";
import sql from "sql-template-tag";
import type { Log } from "../../lib/log.ts";
import { doNotificationsArrive } from "../../lib/postgres/check-notifications.ts";
import { ReconnectingConnection } from "../../lib/postgres/reconnecting-connection.ts";
import { queryRows } from "../query.ts";

/**
 * `deliveries`, `feeds` and `jobs`: there is work. `removals`: a large app was removed, whose reviews have to go. `topics`: a workspace's own topics changed.
 * `replies`: there is an answer to send.
 */
const changeTopics = ["deliveries", "feeds", "jobs", "removals", "topics", "replies"] as const;
export type ChangeTopic = (typeof changeTopics)[number];

// Secret from SQL users, who may notify and listen as well.
const prefix = sql`select notification_prefix as prefix from distribution`;

const noArrival =
  "change notifications don't arrive, so work is found by looking for it: DATABASE_URL goes through a pooler in transaction mode; set DATABASE_LISTEN_URL to the server itself";

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
      const { rows } = await client.query<{ prefix: string }>(prefix.text);
      const topicOf = new Map(changeTopics.map((topic) => [`${rows[0]?.prefix}${topic}`, topic]));
      client.on("notification", ({ channel, payload = "" }) => {
        const topic = topicOf.get(channel);
        if (topic) call(topic, payload);
      });
      for (const name of topicOf.keys()) await client.query(`listen ${pg.escapeIdentifier(name)}`);
      if (!(await doNotificationsArrive(client, options.pool))) options.log.warn({}, noArrival);
      for (const topic of listeners.keys()) call(topic, "");
    },
  });

  function call(topic: ChangeTopic, payload: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(payload);
  }

  return {
    async notify(topic, payload = "") {
      // The way over the database takes longer than much of the work that it announces.
      call(topic, payload);
      // Sent at the commit, which need not wait for the disk: what it reports is there already.
      await queryRows(options.pool, "notify")`
        select set_config('synchronous_commit', 'off', true),
          pg_notify((${prefix}) || ${topic}, ${payload})`;
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
