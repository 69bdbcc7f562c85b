// Reads from a standby while it is close enough behind the primary, from the next one otherwise, and from the
// primary where none is. How far behind a standby is comes from positions in the write-ahead log: what the primary
// had written a moment ago, and whether the standby has replayed it. Nothing is written for it, and a standby that
// lost its primary is found out as well.
// Functions used: https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL

import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { monotonicMs } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
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

type Standby = {
  pool: pg.Pool;
  /** It has all that the primary had written then. */
  completeUntilMs: number;
  /** Why it can't be used, while it can't. */
  reason: string;
};

/**
 * `lagMaxMs` is how old a read may be. Nothing is read from a standby before it was observed; of several the first one
 * that can be used is read. A primary among them is left out for as long as it is one.
 */
export function openReadReplica(options: {
  log: Log;
  primary: pg.Pool;
  standbys: readonly pg.Pool[];
  lagMaxMs: number;
}): ReadReplica {
  const { log, primary, lagMaxMs } = options;
  const closing = new AbortController();
  const standbys = options.standbys.map(
    (pool): Standby => ({ pool, completeUntilMs: Number.NEGATIVE_INFINITY, reason: "" }),
  );

  const isUsable = ({ completeUntilMs }: Standby): boolean =>
    monotonicMs() - completeUntilMs <= lagMaxMs;

  // Each for itself: one that doesn't answer must not make the others look old.
  async function keepObserving(standby: Standby): Promise<void> {
    const { signal } = closing;
    /** The primary's write positions, one for each observation of the last `lagMaxMs`, oldest first. */
    let written: { position: bigint; atMs: number }[] = [];
    while (!signal.aborted) {
      try {
        const atMs = monotonicMs();
        const position = await readPosition(primary, writtenText);
        written = written.filter((one) => atMs - one.atMs <= lagMaxMs);
        if (position !== null) written.push({ position, atMs });
        const replayed = await readPosition(standby.pool, replayedText);
        if (replayed === null) throw new Error("DATABASE_READ_URL names no standby");
        for (const one of written) if (one.position <= replayed) standby.completeUntilMs = one.atMs;
        standby.reason = `it is more than ${lagMaxMs / secondMs} s behind`;
      } catch (error) {
        // Earlier observations stay valid until they expire.
        standby.reason = messageOf(error);
      }
      report();
      // Woken by closing alone.
      await delay(observeMs, null, { signal }).catch(() => {});
    }
  }

  let wasUsable = false;
  function report(): void {
    if (standbys.some(isUsable) === wasUsable) return;
    wasUsable = !wasUsable;
    const reason = standbys.map((one) => one.reason).join("; ");
    if (wasUsable) log.info({}, "pages are read from the standby");
    else log.warn({ reason }, "pages are read from the primary: the standby can't be used");
  }

  /** Reads from the standby until that fails once, and from the primary from then on. */
  function createReader(standby: Standby): Reader {
    let hasFailed = false;
    async function query(...statement: unknown[]): Promise<unknown> {
      if (!hasFailed) {
        try {
          return await Reflect.apply(standby.pool.query, standby.pool, statement);
        } catch (error) {
          // Also a read that lost against the replay is answered by the primary.
          const kind = classifySqlError(error);
          if (kind === "bug") throw error;
          hasFailed = true;
          if (kind === "unavailable") standby.completeUntilMs = Number.NEGATIVE_INFINITY;
        }
      }
      return Reflect.apply(primary.query, primary, statement);
    }
    return { standby, db: { query: query as Db["query"] }, hasFailed: () => hasFailed };
  }

  const observing = standbys.map(keepObserving);
  let reader: Reader | null = null;
  return {
    openReader() {
      const standby = standbys.find(isUsable);
      if (!standby) return null;
      if (reader?.standby !== standby || reader.hasFailed()) reader = createReader(standby);
      return reader.db;
    },
    async close() {
      closing.abort();
      await Promise.all(observing);
      await Promise.all(standbys.map(({ pool }) => pool.end()));
    },
  };
}

type Reader = { standby: Standby; db: Db; hasFailed(): boolean };

const writtenText = "select (pg_current_wal_lsn() - '0/0')::text as bytes";
// Null on a server that replays nothing, such as one that became a primary.
const replayedText =
  "select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as bytes";

async function readPosition(pool: pg.Pool, text: string): Promise<bigint | null> {
  const { rows } = await pool.query<{ bytes: string | null }>(text);
  const bytes = rows[0]?.bytes ?? null;
  return bytes === null ? null : BigInt(bytes);
}
