// Reads that are put in another way where tables are spread over servers.

import sql from "sql-template-tag";
import { type Db, queryRows } from "../query.ts";
import { ofDatabase } from "../transaction.ts";
import { readDistribution } from "./distributed-sql.ts";

/** @throws AppError `unavailable` while the database can't be used */
export async function isDistributed(db: Db): Promise<boolean> {
  return (await ofDatabase(readDistribution(db))).isDistributed;
}

/**
 * For the rest of a transaction: tables that are on each server can't be changed after several servers were asked at
 * the same time.
 */
export async function useServersInTurn(db: Db): Promise<void> {
  if (!(await isDistributed(db))) return;
  const statement = sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
  await queryRows(db, "useServersInTurn", statement);
}

/** Asks once for all apps; where tables are spread, once for each, because no statement merges what servers have. */
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
