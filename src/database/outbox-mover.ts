// Moves what ingests left in the outbox to the buckets of the channels: right after the commit, and what a killed
// process left behind later. See repositories/outbox-rows.ts.
import type pg from "pg";
import type { Log } from "../lib/log.ts";
import { isDistributed } from "./distributed-reads.ts";
import { listOutboxListings } from "./repositories/outbox.ts";
import { moveOutboxRows } from "./repositories/outbox-rows.ts";
import { inTransaction } from "./transaction.ts";

export type OutboxMover = {
  /** Call it after the commit of what was queued. What can't be moved right now is logged, and moved later. */
  drainOutbox(listingId: string): Promise<void>;
  /**
   * Moves what others left behind for longer than `olderThanMs`. Returns of how many listings.
   * @throws AppError `unavailable` while the database can't be used
   */
  drainOldOutbox(options: { olderThanMs: number }): Promise<number>;
};

// Of each look; the next look finds the others.
const listingsMax = 100;

export function createOutboxMover({ log, pool }: { log: Log; pool: pg.Pool }): OutboxMover {
  let last: Promise<unknown> = Promise.resolve();

  // A move uses two connections, and every pool has two: several moves at once could wait for each other.
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  async function drain(listingId: string): Promise<void> {
    let hasMore = true;
    while (hasMore) {
      hasMore = await inTransaction(pool, (tx) => moveOutboxRows(tx, { listingId, target: pool }));
    }
  }

  return {
    async drainOutbox(listingId) {
      if (!(await isDistributed(pool))) return;
      try {
        await inTurn(() => drain(listingId));
      } catch (error) {
        const reason = String(error);
        log.warn({ reason, listingId }, "deliveries stay in the outbox for now");
      }
    },
    async drainOldOutbox({ olderThanMs }) {
      if (!(await isDistributed(pool))) return 0;
      const listingIds = await listOutboxListings(pool, { olderThanMs, limit: listingsMax });
      for (const listingId of listingIds) await inTurn(() => drain(listingId));
      return listingIds.length;
    },
  };
}
