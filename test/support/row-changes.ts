// Signals that rows changed: statement triggers notify the test of every write to the watched tables, whichever
// process writes. For what the service does in the background and reports nowhere else.
import pg from "pg";
import { patience } from "./patience.ts";

export type RowChanges = {
  /** Checks now and after every change; rejects after `limitMs` with the last value. */
  until<T>(read: () => Promise<T>, isReached: (value: T) => boolean, limitMs?: number): Promise<T>;
  close(): Promise<void>;
};

export async function watchRows(
  connectionString: string,
  tables: readonly string[],
): Promise<RowChanges> {
  const client = new pg.Client({ connectionString });
  const listeners = new Set<() => void>();
  client.on("notification", () => {
    for (const listener of [...listeners]) listener();
  });
  await client.connect();
  await client.query(`create or replace function notify_test() returns trigger language plpgsql
    as 'begin perform pg_notify(''test_rows'', tg_table_name); return null; end'`);
  for (const table of tables) {
    await client.query(`create trigger notify_test after insert or update or delete on ${table}
      for each statement execute function notify_test()`);
  }
  await client.query("listen test_rows");
  return {
    async until(read, isReached, limitMs = 30_000) {
      const limit = AbortSignal.timeout(patience(limitMs));
      for (;;) {
        // Before the read: a change during it must not be missed.
        const changed = nextChange(listeners, limit);
        const value = await read();
        if (isReached(value)) return value;
        if (!(await changed)) throw new Error(`not reached in time: ${JSON.stringify(value)}`);
      }
    },
    close: () => client.end(),
  };
}

/** Resolves with whether a change came before the limit. */
function nextChange(listeners: Set<() => void>, limit: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (hasChanged: boolean): void => {
      listeners.delete(onChange);
      limit.removeEventListener("abort", onLimit);
      resolve(hasChanged);
    };
    const onChange = (): void => finish(true);
    const onLimit = (): void => finish(false);
    listeners.add(onChange);
    limit.addEventListener("abort", onLimit);
    if (limit.aborted) onLimit();
  });
}
