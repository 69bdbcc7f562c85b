// Thins or deletes data that would grow for ever, in batches small enough not to delay other statements. Days
// are those of the database's clock, which wrote them.
import type { Day } from "../../lib/timestamp.ts";
import { writeTableSizes } from "../cluster/table-sizes.ts";
import { type Db, execute, queryFirstRow } from "../query.ts";

/** Forgets which reviews channels got more than so many days ago. Returns how many pairs went. */
export function deleteOldChannelReviews(
  db: Db,
  batch: { olderThanDays: number; limit: number },
): Promise<number> {
  return execute(db, "deleteOldChannelReviews")`delete from channel_reviews where ctid = any(array(
    select ctid from channel_reviews where queued_on < current_date - ${batch.olderThanDays}::int
    limit ${batch.limit}))`;
}

/**
 * Deletes the snapshots of one listing after another that are older than that day, except those of Mondays
 * and the newest of each region. Returns the last listing of the batch, null after the last of all.
 */
export async function thinSnapshots(
  db: Db,
  batch: { afterListingId: string | null; beforeDay: Day; listingCount: number },
): Promise<{ lastListingId: string | null; deletedCount: number }> {
  const thinned = await queryFirstRow(db, "thinSnapshots")<{
    lastListingId: string | null;
    deletedCount: number;
  }>`
    with batch as materialized (
      select id from listings where ${batch.afterListingId}::uuid is null or id > ${batch.afterListingId}
      order by id limit ${batch.listingCount}
    ), thinned as (
      delete from snapshots s using batch b
      where s.listing_id = b.id and s.day < ${batch.beforeDay}::date and extract(isodow from s.day) <> 1
        and exists (select from snapshots n
          where n.listing_id = s.listing_id and n.region = s.region and n.day > s.day)
      returning 1
    )
    select (select id from batch order by id desc limit 1) as "lastListingId",
      (select count(*) from thinned)::int as "deletedCount"`;
  return thinned ?? { lastListingId: null, deletedCount: 0 };
}

/** Writes down once a day what each table holds, and forgets what was written more than so many days ago. */
export async function recordTableSizes(db: Db, keepDays: number): Promise<void> {
  await execute(db, "recordTableSizes")`insert into table_sizes (day, name, bytes, rows)
    select current_date, name, bytes, rows from (${await writeTableSizes(db)}) t on conflict do nothing`;
  await execute(db, "deleteOldTableSizes")`delete from table_sizes
    where day < current_date - ${keepDays}::int`;
}
