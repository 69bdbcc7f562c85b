// The stored rollups of a listing, for checks against a recount.
import pg from "pg";
import { rollups } from "../../src/database/reviews/rollups.ts";
import type { EmbeddedServer } from "../../src/features/embedded-postgres/server.ts";

type RollupRows = [key: string, counts: number[]][];

/** In order, the whole listing first. */
export async function readRollups(
  where: { connectionString: string } | EmbeddedServer["connection"],
  listingId: string,
): Promise<{
  days: RollupRows;
  weeks: RollupRows;
  topics: RollupRows;
  topicWeeks: RollupRows;
  topicRows: string[];
  facets: RollupRows;
}> {
  const client = new pg.Client("connectionString" in where ? where.connectionString : where);
  await client.connect();
  const read = async (table: keyof typeof rollups): Promise<RollupRows> => {
    const { key, counts } = rollups[table];
    const order = Object.entries(key).map(([name, type]) =>
      type === "text" ? `${name} collate "C"` : name,
    );
    const { rows } = await client.query<{ key: string; counts: number[] }>(
      `select concat_ws(' ', nullif(region, ''), ${Object.keys(key).join(", ")}) as key,
         array[${counts.join(", ")}]::float8[] as counts
       from ${table} where listing_id = $1 order by region collate "C", ${order.join(", ")}`,
      [listingId],
    );
    return rows.map((row) => [row.key, row.counts]);
  };
  try {
    const topicRows = await client.query<{ text: string }>(
      `select concat_ws(' ', review_id, topic, rating, sentiment, extract(epoch from date)::bigint) as text
       from review_topics where listing_id = $1`,
      [listingId],
    );
    return {
      days: await read("review_days"),
      weeks: await read("review_weeks"),
      topics: await read("topic_days"),
      topicWeeks: await read("topic_weeks"),
      topicRows: topicRows.rows.map(({ text }) => text).sort(),
      facets: await read("facet_days"),
    };
  } finally {
    await client.end();
  }
}
