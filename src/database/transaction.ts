// One transaction on one connection of the pool: all of its work is committed, or none of it.
import pg from "pg";
import { AppError } from "../domain/error.ts";
import { isSilence } from "../lib/postgres/sql-errors.ts";
import { lockMsMax } from "./pool.ts";
import { type Db, ofDatabase, untilWon } from "./query.ts";

/**
 * Commits what `work` did on the connection once it returns. Work that lost against another transaction (a
 * deadlock, a serialization failure, a lock that is held for long) is run again: it must change nothing but the
 * database.
 * @throws AppError `unavailable` while the database can't be used; what `work` throws
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return untilWon(pool, () => runOnce(pool, work));
}

/** In the transaction that `db` is, or in one of its own when it is a pool. */
export function withinTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db instanceof pg.Pool ? inTransaction(db, work) : work(db);
}

// Connections of requests end a statement sooner, but a transaction is an import or a whole set-up.
const begin = `begin; set local statement_timeout = 60000; set local lock_timeout = ${lockMsMax}`;

async function runOnce<T>(pool: pg.Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  // A server that goes away between two statements reports it here alone; unheard, it ends the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  const client = await ofDatabase(connect(pool, onError));
  try {
    await ofDatabase(client.query(begin));
    const result = await work(client);
    await ofDatabase(client.query("commit"));
    return result;
  } catch (error) {
    broken = (await rollBack(client, error)) ?? broken;
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/** Why the pool must not use the connection again, if it must not. */
async function rollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  const cause = error instanceof AppError ? error.cause : error;
  // It would not be answered either.
  if (cause instanceof Error && isSilence(cause)) return cause;
  try {
    await client.query("rollback");
    return undefined;
  } catch (failure) {
    // The connection is gone, and the transaction with it.
    return failure instanceof Error ? failure : new Error(String(failure));
  }
}

function connect(pool: pg.Pool, onError: (error: Error) => void): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (!client) return reject(error);
      // Attached before any promise is settled: the server's ErrorResponse can come in the same packet
      // as its ReadyForQuery.
      client.on("error", onError);
      resolve(client);
    });
  });
}
