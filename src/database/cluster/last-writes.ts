// On a coordinator changes of listings are written last, right before the commit: each server has a copy of the row, and a
// transaction that has written one holds up all others that write any, until it ends.
import pg from "pg";
import sql, { type Sql } from "sql-template-tag";
import { type Db, queryFirstRow, queryValue } from "../query.ts";
import { inTransaction } from "../transaction.ts";

type ListingWrite = { listingId: string; write: () => Promise<unknown> };

/** Of the transactions under way that left any. */
const lastWrites = new WeakMap<Db, ListingWrite[]>();

/** In the transaction that `db` is: the work, and then what it left for the end. */
export async function withLastWrites<T>(db: Db, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    const left = lastWrites.get(db) ?? [];
    // In one order, so that no two transactions wait for each other.
    left.sort((one, other) => (one.listingId < other.listingId ? -1 : 1));
    for (const { write } of left) await write();
    return result;
  } finally {
    lastWrites.delete(db);
  }
}

/** Leaves the write for the end, and returns the moment that it will write; null for a deleted listing. */
export async function writeListingLast(
  db: Db,
  change: { listingId: string; moment: Sql; write: (db: Db, moment: Sql) => Promise<unknown> },
): Promise<string | null> {
  if (db instanceof pg.Pool) {
    return inTransaction(db, (tx) => withLastWrites(tx, () => writeListingLast(tx, change)));
  }
  // By itself, so that the lock that it takes is on the coordinator, like all of them. Citus refuses to write what each
  // server has a copy of after it has written to several at the same time.
  const begun = await queryFirstRow(db, "beginChange")<{ at: string }>`select ${change.moment}::text
    as at, set_config('citus.multi_shard_modify_mode', 'sequential', true) as mode`;
  const moment = await queryValue(db, "readNextChange")<string>`
      select greatest(${begun?.at}::timestamptz, changed_at + interval '1 microsecond')::text
      from listings where id = ${change.listingId}`;
  if (moment === null) return null;
  const write = () => change.write(db, sql`${moment}::timestamptz`);
  lastWrites.set(db, [...(lastWrites.get(db) ?? []), { listingId: change.listingId, write }]);
  return moment;
}
