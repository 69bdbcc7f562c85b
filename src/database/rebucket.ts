// Gives the rows of the delivery side the buckets that they have when there are so many.
import type pg from "pg";
import { bucketDigits } from "../domain/delivery.ts";
import { keyOfTable } from "./distribution.ts";

/**
 * Inside a transaction, while no process of the service runs: each of them reads the number once.
 * @param bucketCount 1 for one server
 */
export async function setBucketCount(client: pg.ClientBase, bucketCount: number): Promise<void> {
  await client.query("lock table distribution in access exclusive mode");
  for (const [table, key] of Object.entries(keyOfTable)) {
    if (key !== "bucket") continue;
    // An attempt has no channel of its own, and its delivery's id may be older than the rule for ids.
    const bucket =
      table === "attempts"
        ? `coalesce((select ${bucketOf("d.channel_id")} from deliveries d where d.id = t.delivery_id),
            ${bucketOf("t.delivery_id")})`
        : bucketOf("t.channel_id");
    await client.query(
      `update ${table} t set bucket = ${bucket} where t.bucket is distinct from ${bucket}`,
      [bucketCount],
    );
  }
  await client.query("update distribution set bucket_count = $1", [bucketCount]);
}

/** What `Buckets.of` says. */
const bucketOf = (id: string): string =>
  `(('x' || right(${id}::text, ${bucketDigits}))::bit(${4 * bucketDigits})::integer % $1::integer)::smallint`;
