// Brings a database to this version's schema: numbered SQL files, forward only, all in one transaction. Two processes
// that start at once take turns. A database that is newer than the code, or that was made by
// other files of these names, is refused.
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import pg from "pg";
import { AppError } from "../domain/error.ts";
import { errorCode } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { advisoryLocks } from "./locks.ts";
import { createPool, type DatabaseAccess } from "./pool.ts";
import { ofDatabase } from "./query.ts";
import { requireUsable } from "./requirements.ts";
import { inTransaction } from "./transaction.ts";

type Migration = { number: number; name: string; sql: string; digest: string };

const folder = new URL("./migrations/", import.meta.url);
/** The applied migrations; made before the first migration. */
export const migrationsTable =
  "create table if not exists migrations (number integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())";
const filePattern = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** Like `migrate`, on a connection of its own, which waits for an answer as long as it takes. */
export async function migrateDatabase(options: DatabaseAccess & { log: Log }): Promise<string[]> {
  const patience = { connectionCountMax: 1, answerMsMax: 0, name: "starpost-migration" };
  const pool = createPool({ ...options, ...patience });
  try {
    return await migrate(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Applies what is missing and returns the names of what was applied.
 * @throws AppError `unavailable` for a database newer than the code or made by other files, a server older than supported,
 * or a database that is half distributed
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const known = await readMigrations();
  return inTransaction(pool, async (db) => {
    const applied = await ofDatabase(applyMigrations(db, known));
    await ofDatabase(refuseHalfDistributed(db));
    return applied;
  });
}

// Half of its rows are not where statements look for them.
async function refuseHalfDistributed(db: pg.ClientBase): Promise<void> {
  const { rows } = await db.query("select from distribution where missing_keys is not null");
  if (rows.length === 0) return;
  const message = "the database is half distributed: run starpost distribute again";
  throw new AppError("unavailable", message);
}

/**
 * The named migrations alone, on an empty database and within a transaction of the caller.
 * @throws AppError `unavailable` like `migrate`, and for names that are not those of this version
 */
export async function migrateAsFar(db: pg.ClientBase, names: readonly string[]): Promise<void> {
  const known = await readMigrations();
  const foreign = names.find((name) => known.every((one) => one.name !== name));
  if (foreign !== undefined) {
    const message = `this version of Starpost has no migration ${foreign}; use the version that it comes from, or a newer one`;
    throw new AppError("unavailable", message);
  }
  const chosen = known.filter(({ name }) => names.includes(name));
  await applyMigrations(db, chosen);
}

async function applyMigrations(db: pg.ClientBase, known: readonly Migration[]): Promise<string[]> {
  await requireUsable(db, { writes: true });
  // An index on a big table takes longer than any other statement may, and a process that starts waits for it.
  await db.query("set local statement_timeout = 0; set local lock_timeout = 0");
  await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.migration]);
  const missing = listMissing(known, await listApplied(db));
  // Where every migration is applied, a start changes nothing.
  if (missing.length > 0) {
    await endReaders(db);
    await db.query(migrationsTable);
  }
  for (const migration of missing) {
    await db.query(migration.sql);
    await db.query("insert into migrations (number, name, digest) values ($1, $2, $3)", [
      migration.number,
      migration.name,
      migration.digest,
    ]);
  }
  return missing.map((migration) => migration.name);
}

/**
 * Ends the sessions of SQL users, in a transaction: an open one holds locks on tables, for which a migration would wait, and
 * behind it everyone else.
 *
 * @throws the error of PostgreSQL, but for a role that the service may not have
 */
export async function endReaders(db: pg.ClientBase): Promise<void> {
  const { rows: known } = await db.query("select where to_regclass('sql_users') is not null");
  if (known.length === 0) return;
  const { rows } = await db.query<{ role: string }>(
    "select distinct a.usename as role from pg_stat_activity a join sql_users u on u.role = a.usename",
  );
  for (const { role } of rows) {
    await db.query("savepoint reader");
    try {
      // Only those who have the role may end its sessions.
      await db.query(`grant ${pg.escapeIdentifier(role)} to current_user`);
      await db.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [
        role,
      ]);
    } catch (error) {
      // A role that another user of the server has made: the migration waits for it.
      if (errorCode(error) !== "42501") throw error;
      await db.query("rollback to savepoint reader");
    }
  }
}

/**
 * Changes nothing.
 * @throws MissingInstallationError for a database that is not one of Starpost; AppError `unavailable` like `migrate`, and for one
 * that lacks migrations
 */
export async function requireMigrated(pool: pg.Pool): Promise<void> {
  const known = await readMigrations();
  await inTransaction(pool, async (db) => {
    await ofDatabase(requireUsable(db, { writes: false }));
    const applied = await ofDatabase(listApplied(db));
    if (applied.size === 0) throw new MissingInstallationError();
    const [first, ...others] = listMissing(known, applied);
    if (first !== undefined) {
      const more = others.length > 0 ? ` and ${others.length} more` : "";
      const message = `the database lacks the migration ${first.name}${more}: start the service of this version, or run starpost migrate`;
      throw new AppError("unavailable", message);
    }
    await ofDatabase(refuseHalfDistributed(db));
  });
}

/** @throws ForeignSchemaError */
function listMissing(known: readonly Migration[], applied: ReadonlyMap<number, Applied>) {
  refuseOther(known, applied);
  refuseNewer({ known: known.at(-1)?.number ?? 0, applied: Math.max(0, ...applied.keys()) });
  return known.filter(({ number }) => !applied.has(number));
}

/** Whether every migration of this version is in the database. Changes nothing. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const known = await readMigrations();
  if (!(await isStarposts(pool))) return false;
  const applied = await pool.query<{ name: string }>("select name from migrations order by number");
  return applied.rows.map(({ name }) => name).join() === known.map(({ name }) => name).join();
}

/** Whether anything was ever migrated. */
export async function isStarposts(db: Pick<pg.ClientBase, "query">): Promise<boolean> {
  const { rows } = await db.query("select where to_regclass('migrations') is not null");
  return rows.length > 0;
}

type Applied = { number: number; name: string; digest: string | null };

/** By number; none where nothing was ever migrated. */
async function listApplied(db: pg.ClientBase): Promise<Map<number, Applied>> {
  if (!(await isStarposts(db))) return new Map();
  // Checkouts before the first release noted no digests.
  const { rows } = await db.query<Applied>(
    "select number, name, to_jsonb(m) ->> 'digest' as digest from migrations m",
  );
  return new Map(rows.map((row) => [row.number, row]));
}

/** The place lacks an installation, and none was to be made. */
export class MissingInstallationError extends AppError {
  constructor(message = "the database has no tables of Starpost", options?: ErrorOptions) {
    super("unavailable", message, options);
  }
}

/** The schema of another version of the service, which this one can't use. */
export class ForeignSchemaError extends AppError {
  constructor(message: string) {
    super("unavailable", message);
  }
}

/** A file that was applied with another content: until the first release, files are changed in place. */
function refuseOther(known: readonly Migration[], applied: ReadonlyMap<number, Applied>): void {
  const isOther = ({ number, name, digest }: Migration): boolean => {
    const before = applied.get(number);
    return before !== undefined && (before.name !== name || before.digest !== digest);
  };
  if (!known.some(isOther)) return;
  throw new ForeignSchemaError(
    "this database was made by another checkout from before the first release, which can't be updated: export the reviews of each app with that checkout (starpost export reviews --app APP), start this one with an empty DATA_DIR or DATABASE_URL, and import them (starpost import reviews --app APP FILE)",
  );
}

function refuseNewer(newest: { known: number; applied: number }): void {
  if (newest.applied <= newest.known) return;
  throw new ForeignSchemaError(
    `the database is at migration ${newest.applied}, newer than this version of Starpost knows (${newest.known}); start the newer version instead`,
  );
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await fs.readdir(folder)).filter((name) => filePattern.test(name)).sort();
  // Numbers may leave gaps: changes that are made at the same time each have one of their own.
  return Promise.all(
    names.map(async (name) => {
      const sql = await fs.readFile(new URL(name, folder), "utf8");
      const digest = createHash("sha256").update(sql).digest("hex");
      return { number: Number(name.slice(0, 3)), name, sql, digest };
    }),
  );
}
