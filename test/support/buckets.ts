// Several buckets on one server: what `starpost distribute` does to the rows before they move to others.
import type pg from "pg";
import { keyOfTable } from "../../src/database/cluster/distribution.ts";

/** Open databases know the number of before. */
export async function setBucketCount(
  pool: Pick<pg.Pool, "query">,
  bucketCount: number,
): Promise<void> {
  for (const [table, key] of Object.entries(keyOfTable)) {
    if (key !== "bucket") continue;
    const bucket =
      table === "attempts"
        ? "(select bucket_of(d.channel_id, $1) from deliveries d where d.id = t.delivery_id)"
        : "bucket_of(t.channel_id, $1)";
    await pool.query(`update ${table} t set bucket = ${bucket} where bucket <> ${bucket}`, [
      bucketCount,
    ]);
  }
  await pool.query(
    "update distribution set bucket_count = $1::integer, is_distributed = $1::integer > 1",
    [bucketCount],
  );
}
