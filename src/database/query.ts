// Runs named statements and returns typed rows. Repositories and read models reach PostgreSQL through
// these three functions alone; a database that can't be used is one kind of error.
import pg from "pg";
import sql, { type RawValue, Sql } from "sql-template-tag";
import { AppError } from "../domain/error.ts";
import { systemDelay } from "../lib/delay.ts";
import { classifySqlError } from "../lib/postgres/sql-errors.ts";
import { toStatement } from "./sql.ts";

/** A pool or one connection inside a transaction: a query does not care. */
export type Db = Pick<pg.ClientBase, "query">;

/** How often a statement or a transaction is run when it loses against another one. */
export const attemptMax = 3;

/** A statement, written in place as with `sql`, or one that was put together before. */
export type Written = [statement: TemplateStringsArray | Sql, ...values: readonly RawValue[]];

export function toSql([statement, ...values]: Written): Sql {
  return statement instanceof Sql ? statement : sql(statement, ...values);
}

/**
 * Runs one statement and returns its rows. The name makes it a prepared statement, parsed once per connection: one name is
 * for one text, and an empty one for what is planned each time. The row type is the statement's own promise.
 * @throws AppError `unavailable` while the database can't be used
 */
export function queryRows(db: Db, name: string) {
  return async <Row extends object>(...written: Written): Promise<Row[]> =>
    (await run<Row>(db, name, written)).rows;
}

/**
 * The first row, or null when there is none.
 * @throws AppError `unavailable` while the database can't be used
 */
export function queryFirstRow(db: Db, name: string) {
  return async <Row extends object>(...written: Written): Promise<Row | null> =>
    (await run<Row>(db, name, written)).rows[0] ?? null;
}

/**
 * The only column of the first row; null also when there is no row.
 * @throws AppError `unavailable` while the database can't be used
 */
export function queryValue(db: Db, name: string) {
  return async <Value>(...written: Written): Promise<Value | null> =>
    (await queryValues(db, name)<Value>(...written))[0] ?? null;
}

/**
 * The only column of the first row, which is a number; 0 also without a row.
 * @throws AppError `unavailable` while the database can't be used
 */
export function queryCount(db: Db, name: string) {
  return async (...written: Written): Promise<number> =>
    (await queryValue(db, name)<number>(...written)) ?? 0;
}

/**
 * The only column of each row.
 * @throws AppError `unavailable` while the database can't be used
 */
export function queryValues(db: Db, name: string) {
  return async <Value>(...written: Written): Promise<Value[]> =>
    (await run<Record<string, Value>>(db, name, written)).rows.flatMap((row) => Object.values(row));
}

/**
 * Returns how many rows the statement changed.
 * @throws AppError `unavailable` while the database can't be used
 */
export function execute(db: Db, name: string) {
  return async (...written: Written): Promise<number> =>
    (await run(db, name, written)).rowCount ?? 0;
}

/**
 * Whether the statement changed its row.
 * @throws AppError `unavailable` while the database can't be used
 */
export function changesRow(db: Db, name: string) {
  return async (...written: Written): Promise<boolean> =>
    (await execute(db, name)(...written)) === 1;
}

async function run<Row extends object>(
  db: Db,
  name: string,
  written: Written,
): Promise<pg.QueryResult<Row>> {
  const isInTransaction = db instanceof pg.Client;
  const { text, values } = toStatement(toSql(written));
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
