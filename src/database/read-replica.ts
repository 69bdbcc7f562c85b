// Reads from a standby while it is close enough behind the primary, and from the primary otherwise. How far
// behind it is comes from positions in the write-ahead log: what the primary had written a moment ago, and
// whether the standby has replayed it. Nothing is written for it, and a standby that lost its primary is found
// out as well.
// Functions used: https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { classifySqlError } from "../lib/postgres/sql-errors.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { Db } from "./query.ts";

const observeMs = secondMs / 2;

export type ReadReplica = {
  /**
   * For the reads of a request, and the same for many: all of them from the standby, or, from the first that it
   * can't answer, from the primary, so that what is read later is never older than what was read before. null while
   * the standby can't be used: the primary is read then.
   */
  openReader(): Db | null;
  close(): Promise<void>;
};

/** `lagMaxMs` is how old a read may be. Nothing is read from the standby before it was observed. */
export function openReadReplica(options: {
  log: Log;
  primary: pg.Pool;
  standby: pg.Pool;
  lagMaxMs: number;
}): ReadReplica {
  const { log, primary, standby, lagMaxMs } = options;
  const closing = new AbortController();
  /** What the primary had written at each observation of the last `lagMaxMs`, the newest last. */
  let written: { position: bigint; atMs: number }[] = [];
  /** The standby has all that the primary had written then. */
  let completeUntilMs = Number.NEGATIVE_INFINITY;

  const isUsable = (): boolean => monotonicMs() - completeUntilMs <= lagMaxMs;

  async function observe(): Promise<void> {
    const atMs = monotonicMs();
    const position = await readPosition(primary, writtenText);
    written = written.filter((one) => atMs - one.atMs <= lagMaxMs);
    if (position !== null) written.push({ position, atMs });
    const replayed = await readPosition(standby, replayedText);
    if (replayed === null) throw new Error("DATABASE_READ_URL names no standby");
    for (const one of written) if (one.position <= replayed) completeUntilMs = one.atMs;
  }

  async function keepObserving(): Promise<void> {
    const { signal } = closing;
    let wasUsable = false;
    let reason = "";
    while (!signal.aborted) {
      try {
        await observe();
        reason = `it is more than ${lagMaxMs / secondMs} s behind`;
      } catch (error) {
        // What was known stays true, and ends with the time.
        reason = error instanceof Error ? error.message : String(error);
      }
      if (isUsable() !== wasUsable) {
        wasUsable = !wasUsable;
        if (wasUsable) log.info({}, "pages are read from the standby");
        else log.warn({ reason }, "pages are read from the primary: the standby can't be used");
      }
      // Woken by closing alone.
      await delay(observeMs, null, { signal }).catch(() => {});
    }
  }

  /** Reads from the standby until that fails once, and from the primary from then on. */
  function createReader(): { db: Db; hasFailed(): boolean } {
    let hasFailed = false;
    async function query(...statement: unknown[]): Promise<unknown> {
      if (!hasFailed) {
        try {
          return await Reflect.apply(standby.query, standby, statement);
        } catch (error) {
          // Also a read that lost against the replay is answered by the primary.
          const kind = classifySqlError(error);
          if (kind === "bug") throw error;
          hasFailed = true;
          if (kind === "unavailable") completeUntilMs = Number.NEGATIVE_INFINITY;
        }
      }
      return Reflect.apply(primary.query, primary, statement);
    }
    return { db: { query: query as Db["query"] }, hasFailed: () => hasFailed };
  }

  const observing = keepObserving();
  let reader = createReader();
  return {
    openReader() {
      if (!isUsable()) return null;
      if (reader.hasFailed()) reader = createReader();
      return reader.db;
    },
    async close() {
      closing.abort();
      await observing;
      await standby.end();
    },
  };
}

const writtenText = "select (pg_current_wal_lsn() - '0/0')::text as bytes";
// Null on a server that replays nothing, such as one that became a primary.
const replayedText =
  "select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as bytes";

async function readPosition(pool: pg.Pool, text: string): Promise<bigint | null> {
  const { rows } = await pool.query<{ bytes: string | null }>(text);
  const bytes = rows[0]?.bytes ?? null;
  return bytes === null ? null : BigInt(bytes);
}
