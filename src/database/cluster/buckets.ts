// Buckets place the rows of the delivery side in a distributed PostgreSQL: each channel belongs to one, and
// every statement names it. One server needs one bucket; how many there are says the database.
import pg from "pg";
import sql from "sql-template-tag";
import { bucketDigits } from "../../domain/delivery.ts";
import { groupBy } from "../../lib/group-by.ts";
import { type Db, queryValues } from "../query.ts";
import { type DistributionRow, readDistribution } from "./coordinator.ts";

export type Buckets = {
  all: readonly number[];
  /** The id of a channel or of a delivery: its id ends like that of its channel, see `toDeliveryId`. */
  of(id: string): number;
  /** Groups items by bucket, so that each statement serves one bucket. */
  group<T>(
    items: readonly T[],
    channelIdOf: (item: T) => string,
  ): [bucket: number, items: readonly T[]][];
};

/** @throws AppError `unavailable` while the database can't be used */
export async function readBuckets(db: Db): Promise<Buckets> {
  return createBuckets(await readDistribution(db));
}

/** Like `bucket_of` in SQL. */
export function createBuckets({
  bucketCount: count,
}: Pick<DistributionRow, "bucketCount">): Buckets {
  // The last bits of an id are random, whatever its version.
  const of = (id: string): number => Number.parseInt(id.slice(-bucketDigits), 16) % count;
  return {
    all: Array.from({ length: count }, (_, index) => index),
    of: count === 1 ? () => 0 : of,
    group<T>(items: readonly T[], channelIdOf: (item: T) => string) {
      if (count === 1) return items.length === 0 ? [] : [[0, items]];
      return [...groupBy(items, (item) => of(channelIdOf(item)))];
    },
  };
}

/**
 * One statement or transaction for each bucket, all of them at the same time: each is on a server of its own. On one
 * connection they come one after the other. Waits for all of them, also when one fails.
 * @throws what the first that failed threw
 */
export async function inEachBucket<T, Result>(
  db: Db,
  groups: readonly [bucket: number, items: readonly T[]][],
  run: (bucket: number, items: readonly T[]) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  if (!(db instanceof pg.Pool)) {
    for (const [bucket, items] of groups) results.push(await run(bucket, items));
    return results;
  }
  const settled = await Promise.allSettled(groups.map(([bucket, items]) => run(bucket, items)));
  for (const one of settled) {
    if (one.status === "rejected") throw one.reason;
    results.push(one.value);
  }
  return results;
}

/** Those with the longest waiting channels first, so that none is always the last; one bucket is not asked about. */
export async function listBucketsWithWork(db: Db, now: Date): Promise<readonly number[]> {
  const { all } = await readBuckets(db);
  if (all.length === 1) return all;
  const statement = sql`select bucket from channel_queue
    where bucket = any(${all}::smallint[]) and next_due_at <= ${now} and next_due_at < 'infinity'
    group by bucket order by min(next_due_at)`;
  return queryValues<number>(db, "listBucketsWithWork", statement);
}
