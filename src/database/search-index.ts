// Makes and drops the search index while the service runs. A part of `reviews` after the other; what is there already is
// left alone, and what an interrupted run left is made again.
import type pg from "pg";
import { AppError } from "../domain/error.ts";
import { type Delay, systemDelay } from "../lib/delay.ts";
import { errorCode } from "../lib/error-code.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { isDistributed } from "./distributed-reads.ts";
import { isMigrated } from "./migrate.ts";
import { type Connection, createPool } from "./pool.ts";
import { readSearchIndex, type SearchIndex } from "./read-models/search-index.ts";
import { indexNameOf, searchIndexes, writeSearchIndex } from "./search-index-sql.ts";
import { ofDatabase } from "./transaction.ts";

export type SearchIndexOptions = {
  log: Log;
  /** Past a pooler. */
  connection: Connection;
  /** What PostgreSQL is at, when that has changed; the share of this step, from 0 to 1, where it is known. */
  onProgress?: (progress: { text: string; share: number | null }) => void;
  delay?: Delay;
};

/** @throws AppError `conflict` when it can't be made here or now, with the reason */
export function createSearchIndex(options: SearchIndexOptions): Promise<SearchIndex> {
  return withLock(options, async ({ pool, client }) => {
    if (await isDistributed(pool)) {
      refuse("a database that is spread over servers has no search index");
    }
    for (const name of ["pg_trgm", "btree_gin"]) await addExtension(client, name);
    await client.query(enoughMemory);
    for (const table of await listTables(client)) {
      if (table.isReady) continue;
      await client.query(`drop index concurrently if exists ${indexNameOf(table.name)}`);
      await withProgress({ ...options, pool, client }, () =>
        client.query(writeSearchIndex(table.name)),
      );
      // What texts hold is known to the planner once they were sampled.
      options.onProgress?.({ text: `${table.name}: sampling`, share: null });
      await client.query(`analyze ${table.name}`);
    }
  });
}

// With the 64 MB that PostgreSQL takes by itself it would write and merge many more parts.
const enoughMemory = `select set_config(name, '256MB', false) from pg_settings
  where name = 'maintenance_work_mem' and setting::integer < 256 * 1024`;

/** @throws AppError `conflict` while it is being made */
export function dropSearchIndex(options: SearchIndexOptions): Promise<SearchIndex> {
  return withLock(options, async ({ client }) => {
    for (const { name } of await listTables(client)) {
      await client.query(`drop index concurrently if exists ${indexNameOf(name)}`);
    }
  });
}

type Session = { pool: pg.Pool; client: pg.PoolClient };

/** On a connection of its own, which waits for an answer as long as it takes; another one says how far it is. */
async function withLock(
  { log, connection }: SearchIndexOptions,
  work: (session: Session) => Promise<void>,
): Promise<SearchIndex> {
  const patience = { connectionCountMax: 2, answerMsMax: 0, name: "starpost-search-index" };
  const pool = createPool({ log, connection, ...patience, onConnect: "set statement_timeout = 0" });
  try {
    if (!(await ofDatabase(isMigrated(pool)))) {
      refuse("the database is not of this version: run starpost migrate first");
    }
    const client = await ofDatabase(pool.connect());
    // A server that goes away reports it here, too; unheard, it ends the process. The statement under way fails with it.
    client.on("error", () => {});
    try {
      await ofDatabase(holdLock(client, () => work({ pool, client })));
    } finally {
      client.release(true);
    }
    return await readSearchIndex(pool);
  } finally {
    await pool.end();
  }
}

async function holdLock(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  const lock = [advisoryLocks.searchIndex];
  const { rows } = await client.query<{ isFree: boolean }>(
    `select pg_try_advisory_lock($1) as "isFree"`,
    lock,
  );
  if (!rows[0]?.isFree) refuse("the search index is being made or dropped right now");
  try {
    await work();
  } finally {
    // A session that broke has ended, and the lock with it; what broke it is thrown.
    await client.query("select pg_advisory_unlock($1)", lock).catch(() => {});
  }
}

function refuse(message: string): never {
  throw new AppError("conflict", message);
}

const isMissing = /^(0A000|58P01)$/;
const isForbidden = "42501";

async function addExtension(client: pg.ClientBase, name: string): Promise<void> {
  try {
    await client.query(`create extension if not exists ${name}`);
  } catch (error) {
    const code = errorCode(error);
    const reason = isMissing.test(code)
      ? `this PostgreSQL lacks the extension ${name}, which comes with its contrib modules: install them there`
      : `the account of DATABASE_URL may not add the extension ${name}: call "create extension ${name}" in this database as its owner or a superuser`;
    if (!isMissing.test(code) && code !== isForbidden) throw error;
    throw new AppError("conflict", reason, { cause: error });
  }
}

async function listTables(client: pg.ClientBase): Promise<{ name: string; isReady: boolean }[]> {
  const { rows } = await client.query<{ name: string; isReady: boolean }>(
    `select quote_ident(name) as name, is_ready as "isReady" from (${searchIndexes}) t order by 1`,
  );
  return rows;
}

const lookEveryMs = secondMs;

type Step = { phase: string; done: number; total: number };

async function withProgress(
  { onProgress, delay = systemDelay, pool, client }: SearchIndexOptions & Session,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const ended = new AbortController();
  await Promise.all([work().finally(() => ended.abort()), watch()]);

  async function watch(): Promise<void> {
    let last = "";
    while (!ended.signal.aborted) {
      const step = await readStep(pool, rows[0]?.pid);
      const share = step && step.total > 0 ? step.done / step.total : null;
      const seen = `${step?.phase} ${Math.floor((share ?? 0) * 100)}`;
      if (step && seen !== last) onProgress?.({ text: step.phase, share });
      last = seen;
      await delay(lookEveryMs, ended.signal);
    }
  }
}

/** PostgreSQL's own words: https://www.postgresql.org/docs/current/progress-reporting.html */
async function readStep(pool: pg.Pool, pid: number | undefined): Promise<Step | null> {
  const { rows } = await pool.query<Step>(
    `select phase, greatest(blocks_done, tuples_done, lockers_done) as done,
       case greatest(blocks_done, tuples_done, lockers_done) when blocks_done then blocks_total
         when tuples_done then tuples_total else lockers_total end as total
     from pg_stat_progress_create_index where pid = $1`,
    [pid],
  );
  return rows[0] ?? null;
}
