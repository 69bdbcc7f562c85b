// Runs named statements and returns typed rows. Repositories and read models reach PostgreSQL through
// these three functions alone; a database that can't be used is one kind of error.
import pg from "pg";
import sql, { type RawValue, Sql } from "sql-template-tag";
import { toAppError } from "../domain/storage-error.ts";
import { monotonicMs } from "../lib/clock.ts";
import { systemDelay } from "../lib/delay.ts";
import { classifySqlError, isLockTimeout } from "../lib/postgres/sql-errors.ts";
import { Pool } from "./pool.ts";
import { toStatement } from "./sql.ts";

/** A pool or one connection inside a transaction: a query does not care. */
export type Db = Pick<pg.ClientBase, "query">;

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
  const { text, values } = toStatement(toSql(written));
  const attempt = () => ofDatabase(db.query<Row>({ name, text, values }));
  // Inside a transaction nothing can be done again but the whole of it: its helper decides.
  return db instanceof pg.Client ? attempt() : untilWon(db, attempt);
}

/** How often a statement or a transaction is run when it loses against another one. */
const attemptMax = 3;
const pauseMsMax = 1_000;

/**
 * Does again what lost against another statement or transaction: three times at most, and what waits for a lock for as long
 * as the pool is patient. It has no connection meanwhile.
 *
 * @throws AppError `unavailable` for what lost every time
 */
export async function untilWon<T>(db: Db, attempt: () => Promise<T>): Promise<T> {
  const patienceMs = db instanceof Pool ? db.lockPatienceMs : 0;
  const startedMs = monotonicMs();
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (classifySqlError(error) !== "retry") throw error;
      const goesOn = isLockTimeout(error)
        ? monotonicMs() - startedMs < patienceMs
        : count < attemptMax;
      if (!goesOn) throw toAppError(error);
      // A loser that returns at once takes the lock that it gave up before the winner has woken, and both are in the same
      // deadlock again; so are two that return at the same moment.
      await systemDelay(Math.min(50 * 4 ** (count - 1), pauseMsMax) * (0.5 + Math.random()));
    }
  }
}

/**
 * For a step that does nothing but talk to the database: its errors are those of the database. Named statements see
 * to theirs, and a missing file or a time-out of other code inside of a transaction is none.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function ofDatabase<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw classifySqlError(error) === "retry" ? error : toAppError(error);
  }
}
