// Runs named statements and returns typed rows. Repositories and read models reach PostgreSQL through
// these three functions alone; a database that can't be used is one kind of error.
import pg from "pg";
import type { Sql } from "sql-template-tag";
import { AppError } from "../domain/error.ts";
import { systemDelay } from "../lib/delay.ts";
import { classifySqlError } from "../lib/postgres/sql-errors.ts";
import { toStatement } from "./sql.ts";

/** A pool or one connection inside a transaction: a query does not care. */
export type Db = Pick<pg.ClientBase, "query">;

/** How often a statement or a transaction is run when it loses against another one. */
export const attemptMax = 3;

/**
 * Runs one statement and returns its rows. The name makes it a prepared statement, parsed once per connection: one name is
 * for one text, and an empty one for what is planned each time. The row type is the statement's own promise.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function queryRows<Row extends object>(
  db: Db,
  name: string,
  statement: Sql,
): Promise<Row[]> {
  return (await run<Row>(db, name, statement)).rows;
}

/**
 * The first row, or null when there is none.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function queryFirstRow<Row extends object>(
  db: Db,
  name: string,
  statement: Sql,
): Promise<Row | null> {
  return (await run<Row>(db, name, statement)).rows[0] ?? null;
}

/**
 * The only column of the first row; null also when there is no row.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function queryValue<Value>(
  db: Db,
  name: string,
  statement: Sql,
): Promise<Value | null> {
  return (await queryValues<Value>(db, name, statement))[0] ?? null;
}

/**
 * The only column of each row.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function queryValues<Value>(db: Db, name: string, statement: Sql): Promise<Value[]> {
  const rows = await queryRows<Record<string, Value>>(db, name, statement);
  return rows.flatMap((row) => Object.values(row));
}

/**
 * Returns how many rows the statement changed.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function execute(db: Db, name: string, statement: Sql): Promise<number> {
  return (await run(db, name, statement)).rowCount ?? 0;
}

/**
 * Whether the statement changed its row.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function changesRow(db: Db, name: string, statement: Sql): Promise<boolean> {
  return (await execute(db, name, statement)) === 1;
}

async function run<Row extends object>(
  db: Db,
  name: string,
  statement: Sql,
): Promise<pg.QueryResult<Row>> {
  const isInTransaction = db instanceof pg.Client;
  const { text, values } = toStatement(statement);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.query<Row>({ name, text, values });
    } catch (error) {
      if (classifySqlError(error) !== "retry") throw toAppError(error);
      // Inside a transaction nothing can be done again but the whole of it: its helper decides.
      if (isInTransaction) throw error;
      if (attempt === attemptMax) throw toAppError(error);
      await letWinnerPass(attempt);
    }
  }
}

/**
 * Waits before a loser tries again: one that returns at once takes the lock that it gave up before the winner has woken, and
 * both are in the same deadlock again.
 */
export const letWinnerPass = (attempt: number): Promise<void> =>
  systemDelay(50 * 4 ** (attempt - 1));

/** `unavailable` for what passes by itself; anything else stays what it is: a bug. */
export function toAppError(error: unknown): unknown {
  const kind = classifySqlError(error);
  if (kind === "bug") return error;
  const message =
    kind === "retry"
      ? "the database is busy: a change met others too often"
      : "the database is unavailable";
  return new AppError("unavailable", message, { cause: error });
}
