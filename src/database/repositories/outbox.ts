// What an ingest queues. On one server that is the queue itself. Where a listing and the buckets of its channels are on
// several, it is saved beside the reviews, on their server, and moved to the buckets right after the commit: see
// outbox-rows.ts. docs/adr/0047-buckets-and-outbox.md
import type { NewDelivery } from "../../domain/delivery.ts";
import { enqueueDeliveries } from "../delivery/enqueue.ts";
import { isDistributed } from "../distributed-reads.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { insertChannelReviews } from "./channel-reviews.ts";
import { listAnnounced } from "./delivery-values.ts";
import { insertOutboxRows, moveOutboxRows, type OutboxDelivery } from "./outbox-rows.ts";

/**
 * Queues what happened to a listing, in the transaction in which it is saved, and notes which reviews were announced to
 * whom. Call `drainOutbox` after the commit.
 */
export async function enqueueListingDeliveries(
  db: Db,
  queue: { listingId: string; deliveries: readonly NewDelivery[]; now: Date },
): Promise<void> {
  const { deliveries, now } = queue;
  if (await isDistributed(db)) return insertOutboxRows(db, queue);
  await insertChannelReviews(db, listAnnounced(deliveries));
  await enqueueDeliveries(db, { deliveries, now });
}

/**
 * Moves what waits of a listing in the transaction that this is, for who must find all of it in the queue. Lock the
 * listing first: nothing is added then.
 */
export async function moveOutbox(db: Db, listing: { listingId: string }): Promise<void> {
  if (!(await isDistributed(db))) return;
  while (await moveOutboxRows(db, { ...listing, target: db })) {
    // Until nothing is left.
  }
}

/** Takes out what would be delivered about a review; lock the listing first. Returns how many deliveries. */
export async function deleteReviewFromOutbox(
  db: Db,
  review: { listingId: string; reviewId: string },
): Promise<number> {
  const { listingId, reviewId } = review;
  const rows = await queryRows<{ id: string; payload: OutboxDelivery[] }>(
    db,
    "lockOutboxOfReview",
    `select id, payload from outbox
     where listing_id = $1 and payload @> jsonb_build_array(jsonb_build_object('reviewId', $2::text))
     order by queued_at, id for update`,
    [listingId, reviewId],
  );
  let count = 0;
  for (const { id, payload } of rows) {
    const kept = payload.filter((delivery) => delivery.reviewId !== reviewId);
    const text = "update outbox set payload = $3 where listing_id = $1 and id = $2";
    await queryRows(db, "updateOutbox", text, [listingId, id, JSON.stringify(kept)]);
    count += payload.length - kept.length;
  }
  return count;
}

/** Listings of which something waits for longer than whoever put it there needs: its process was killed. */
export async function listOutboxListings(
  db: Db,
  query: { olderThanMs: number; limit: number },
): Promise<string[]> {
  const found = await queryRows<{ listingId: string }>(
    db,
    "listOutboxListings",
    `select distinct listing_id as "listingId" from outbox
     where queued_at <= now() - make_interval(secs => $1 / 1000.0) limit $2`,
    [query.olderThanMs, query.limit],
  );
  return found.map(({ listingId }) => listingId);
}

/** How many ingests wait to be moved, counted up to a limit, and since when the first one does. */
export async function readOutbox(
  db: Db,
  { countMax }: { countMax: number },
): Promise<{ count: number; since: Date | null }> {
  const found = await queryFirstRow<{ count: number; since: Date | null }>(
    db,
    "readOutbox",
    `select count(*)::bigint as count, min(queued_at) as since
     from (select queued_at from outbox order by queued_at limit $1) oldest`,
    [countMax],
  );
  return found ?? { count: 0, since: null };
}
