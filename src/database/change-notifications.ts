// News between processes over LISTEN/NOTIFY: "there is work", "a key was revoked". News can get lost
// while a connection is down, so whoever listens also asks now and then.
import pg from "pg";
import type { Log } from "../lib/log.ts";
import { queryRows } from "./db.ts";

/**
 * `analysis`: what reviews are analysed with changed. `deliveries`, `feeds` and `jobs`: there is work. `keys`: a key or a plan changed. `reviews`: a
 * listing's data changed (its id). `apps`: what a workspace follows changed (its id).
 */
export const changeTopics = [
  "analysis",
  "apps",
  "deliveries",
  "feeds",
  "jobs",
  "keys",
  "reviews",
] as const;
export type ChangeTopic = (typeof changeTopics)[number];

type Listener = (payload: string) => void;

export type ChangeNotifications = {
  /** Tells every process, this one included. Sent outside of hot transactions: it takes a lock. */
  notify(name: ChangeTopic, payload?: string): Promise<void>;
  /** Calls back for each notice; and once with "" whenever news may have been missed. */
  listen(name: ChangeTopic, listener: Listener): () => void;
  closeNotices(): Promise<void>;
};

const reconnectMs = 1_000;

export function openChangeNotifications(open: {
  log: Log;
  connection: { connectionString: string } | pg.ClientConfig;
  pool: pg.Pool;
}): ChangeNotifications {
  const listeners = new Map<ChangeTopic, Set<Listener>>();
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let closed = false;

  function tell(channel: string, payload: string): void {
    for (const [name, set] of listeners) {
      if (channelOf(name) === channel) for (const listener of set) listener(payload);
    }
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ ...open.connection, application_name: "starpost-notices" });
    client = fresh;
    fresh.on("notification", (notice) => tell(notice.channel, notice.payload ?? ""));
    fresh.on("error", (error) => open.log.warn({ reason: error.message }, "listening broke off"));
    fresh.on("end", reconnectLater);
    try {
      await fresh.connect();
      for (const name of changeTopics) await fresh.query(`listen ${channelOf(name)}`);
      for (const name of listeners.keys()) tell(channelOf(name), "");
    } catch (error) {
      open.log.warn({ reason: String(error) }, "listening is not possible right now");
      reconnectLater();
    }
  }

  function reconnectLater(): void {
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = null;
      void connect();
    }, reconnectMs);
  }

  return {
    async notify(name, payload = "") {
      // Told at the commit, which need not wait for the disk: what it tells of is there already.
      const text = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
      await queryRows(open.pool, "notify", text, [channelOf(name), payload]);
    },
    listen(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      // The first listener opens the connection: a command that only writes needs none.
      if (!client) void connect();
      return () => set.delete(listener);
    },
    async closeNotices() {
      closed = true;
      if (retry) clearTimeout(retry);
      await client?.end();
    },
  };
}

function channelOf(name: ChangeTopic): string {
  return `starpost_${name}`;
}
