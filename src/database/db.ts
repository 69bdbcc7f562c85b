// The narrow way to PostgreSQL: named statements in, typed rows out, and one kind of error for "the
// database is away". SQL stays in this room; so does the mapping of names and types.
import pg from "pg";
import { AppError } from "../domain/error.ts";

/** A pool or one connection inside a transaction: a query does not care. */
export type Db = Pick<pg.ClientBase, "query">;

/**
 * Runs one statement and returns its rows. The name makes it a prepared statement, parsed once per
 * connection. The row type is the statement's own promise: keep it beside its SQL.
 */
export async function queryRows<Row extends object>(
  db: Db,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const result = await db.query<Row>({ name, text, values: [...values] });
    return result.rows;
  } catch (error) {
    throw explainFailure(error);
  }
}

/** The first row, or null when there is none. */
export async function queryFirstRow<Row extends object>(
  db: Db,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | null> {
  const found = await queryRows<Row>(db, name, text, values);
  return found[0] ?? null;
}

/** How many rows a statement changed. */
export async function execute(
  db: Db,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<number> {
  try {
    const result = await db.query({ name, text, values: [...values] });
    return result.rowCount ?? 0;
  } catch (error) {
    throw explainFailure(error);
  }
}

/** All or nothing: what `work` does on the connection is committed once it returns. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  // A server that goes away between two statements tells nobody else; unheard, it ends the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  const client = await connect(pool, onError);
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => {
      // The connection is gone, and the transaction with it; the pool must not hand it out again.
      broken = failure;
    });
    throw explainFailure(error);
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

function connect(pool: pg.Pool, onError: (error: Error) => void): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (!client) return reject(explainFailure(error));
      // At once, not after a promise: a farewell can stand right behind the server's welcome.
      client.on("error", onError);
      resolve(client);
    });
  });
}

// SQLSTATE classes: 08 connection, 57P01-03 shutdown and start-up, 53300 too many connections.
const awayState = /^(08...|57P0[1-5]|53300)$/;
const awayCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
]);
// pg reports these without a code.
const awayMessage =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/;

function explainFailure(error: unknown): unknown {
  return isAway(error)
    ? new AppError("unavailable", "the database is away", { cause: error })
    : error;
}

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return awayState.test(code) || awayCodes.has(code) || awayMessage.test(error.message);
}

// int8 counts stay far below 2^53; a date is a day, not a moment in the server's zone.
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.DATE, String],
  [pg.types.builtins.TIMESTAMPTZ, parseMoment],
]);

const parseAnyMoment: (text: string) => unknown = pg.types.getTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  "text",
);

// The server says `2026-11-21 16:16:37.458+00` in UTC, which is ISO 8601 but for two characters: a
// tenth of the work of what reads every form of a moment.
function parseMoment(text: string): unknown {
  const isUtc = text.endsWith("+00") && text[10] === " ";
  return isUtc ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseAnyMoment(text);
}

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") =>
    (format !== "binary" && parsers.get(id)) ||
    pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig["getTypeParser"],
};
