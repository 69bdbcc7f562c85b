// The largest tables in parts, by the keys of database/distribution.ts: what an operator can do to a database whose
// reviews no longer fit one table. For an empty database.
import type pg from "pg";
import { keyOfTable } from "../../src/database/distribution.ts";

/** Deliveries and their attempts are in parts by day already. */
export const partitionedTables = [
  ...["reviews", "review_versions", "review_topics", "review_days", "review_weeks"],
  ...["topic_days", "topic_weeks", "facet_days", "app_versions", "channel_queue", "pending"],
] as const;

type Key = { table: string; name: string; definition: string };

/** Parts are called like `reviews_part_0`. */
export async function partitionTables(
  pool: Pick<pg.Pool, "query">,
  partCount: number,
): Promise<void> {
  const { rows: keys } = await pool.query<Key>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0
       and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`,
    [partitionedTables],
  );
  for (const { table, name } of keys) {
    await pool.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const table of partitionedTables) await partition(pool, { table, partCount });
  for (const { table, name, definition } of keys) {
    await pool.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
}

async function partition(
  pool: Pick<pg.Pool, "query">,
  { table, partCount }: { table: string; partCount: number },
): Promise<void> {
  const { rows } = await pool.query(`select from ${table} limit 1`);
  if (rows.length > 0) throw new Error(`${table} has rows, which would be lost`);
  await pool.query(
    `create table ${table}_whole (like ${table} including all) partition by hash (${keyOfTable[table]})`,
  );
  await pool.query(`drop table ${table}`);
  await pool.query(`alter table ${table}_whole rename to ${table}`);
  for (let part = 0; part < partCount; part += 1) {
    await pool.query(
      `create table ${table}_part_${part} partition of ${table}
       for values with (modulus ${partCount}, remainder ${part})`,
    );
  }
}
