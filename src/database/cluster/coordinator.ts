// Additions that statements need on the coordinator of a Citus, and that a single server doesn't get. Citus sends a statement to one server
// when each of its tables is fixed to one key by a constant, and refuses many of those that are not.
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { type Db, queryRows, queryValue, toSql, type Written } from "../query.ts";
import type { Parameter } from "../sql.ts";
import type { ListingTable } from "./distribution.ts";

// It changes only while no process runs, see `distribute.ts`: read once for each pool and connection.
const known = new WeakMap<Db, Promise<boolean>>();

/**
 * Whether the database is the coordinator of several servers.
 * @throws AppError `unavailable` while the database can't be used
 */
export async function isDistributed(db: Db): Promise<boolean> {
  const read =
    known.get(db) ??
    queryValue(db, "isDistributed")<boolean>`select is_distributed
    from distribution`.then(Boolean);
  known.set(db, read);
  read.catch(() => known.delete(db));
  return read;
}

/** A condition that repeats a constant key, which would mislead the planner of a single server. */
export async function constantKey(db: Db, condition: Sql): Promise<Sql> {
  return (await isDistributed(db)) ? sql`and ${condition}` : empty;
}

/**
 * For the rest of a transaction: tables that are on each server can't be changed after several servers were asked at
 * the same time.
 */
export async function useServersInTurn(db: Db): Promise<void> {
  if (!(await isDistributed(db))) return;
  await queryRows(db, "useServersInTurn")`select set_config('citus.multi_shard_modify_mode',
    'sequential', true)`;
}

/** Asks once for all apps, and on a coordinator once for each: it has no statement that merges what servers have. */
export async function readByApp<App, Part>(
  db: Db,
  apps: readonly App[],
  read: (apps: readonly App[]) => Promise<Part>,
): Promise<[Part, ...Part[]]> {
  const [first, ...others] = apps;
  if (first === undefined || others.length === 0 || !(await isDistributed(db))) {
    return [await read(apps)];
  }
  return Promise.all([read([first]), ...others.map((app) => read([app]))]);
}

/** The listings that a statement reads, as it names them (`uuid[]`), and the tables that it reads of them. */
type ReadOfListings = { listingIds: Parameter; tables: readonly ListingTable[] };

/**
 * Runs a statement that reads rows of some listings, and does not begin with `with`. On a coordinator the tables are
 * replaced by their rows of these listings: of one on the server where they are, of several on the coordinator.
 */
export function readListings(db: Db, name: string, { listingIds, tables }: ReadOfListings) {
  return async <Row extends object>(...written: Written): Promise<Row[]> => {
    if (!(await isDistributed(db))) return queryRows(db, name)(...written);
    const isOne = new Set(listingIds.value as readonly string[]).size <= 1;
    const rows = tables.map((table) =>
      isOne
        ? sql`${raw(table)} as not materialized (select * from ${raw(table)} where listing_id = (${listingIds}::uuid[])[1])`
        : sql`${raw(table)} as materialized (select * from ${raw(table)} where listing_id = any(${listingIds}::uuid[]))`,
    );
    // A name is for one text.
    return queryRows(db, isOne ? name : "")`with ${join(rows, ", ")} ${toSql(written)}`;
  };
}
