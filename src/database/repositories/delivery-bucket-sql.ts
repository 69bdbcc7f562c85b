// Buckets place the rows of the delivery side in a distributed PostgreSQL: each channel belongs to one, and
// every statement names it. One server needs one bucket.
import { bucketDigits } from "../../domain/delivery.ts";

const bucketCount = 1;

export const buckets: readonly number[] = Array.from({ length: bucketCount }, (_, index) => index);

/** Of a channel. The last bits of an id are random, whatever its version. */
export function bucketOf(channelId: string): number {
  return bucketCount === 1 ? 0 : Number.parseInt(channelId.slice(-bucketDigits), 16) % bucketCount;
}

/** Of a delivery: ids end like that of their channel, see `toDeliveryId`. */
export function bucketOfDelivery(id: string): number {
  return bucketOf(id);
}

/** What belongs together in one statement. */
export function groupByBucket<T>(
  items: readonly T[],
  channelIdOf: (item: T) => string,
): [bucket: number, items: readonly T[]][] {
  if (bucketCount === 1) return items.length === 0 ? [] : [[0, items]];
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const bucket = bucketOf(channelIdOf(item));
    const group = groups.get(bucket);
    if (group) group.push(item);
    else groups.set(bucket, [item]);
  }
  return [...groups];
}
