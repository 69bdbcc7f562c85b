// Moves what ingests left in the outbox to the buckets of the channels: right after the commit, and what a killed
// process left behind later. See repositories/outbox-rows.ts.
import type pg from "pg";
import type { Log } from "../lib/log.ts";
import { isDistributed } from "./distributed-reads.ts";
import { listOutboxListings } from "./repositories/outbox.ts";
import { moveOutboxRows } from "./repositories/outbox-rows.ts";
import { inTransaction } from "./transaction.ts";

export type OutboxMover = {
  /**
   * Call it after the commit of what was queued, and wait for it: who queues faster than it can be moved is held back.
   * What can't be moved right now is logged, and moved later.
   */
  drainOutbox(listingId: string): Promise<void>;
  /**
   * The same for what others left behind for longer than `olderThanMs`. Returns of how many listings it was moved.
   * @throws AppError `unavailable` while the database can't be used
   */
  drainOldOutbox(options: { olderThanMs: number }): Promise<number>;
};

// Of each look; the next look finds the others.
const listingsMax = 100;
/** At once in a process. */
const movesMax = 4;

export function createOutboxMover({ log, pool }: { log: Log; pool: pg.Pool }): OutboxMover {
  // A move holds one connection and needs another: as long as one is left for that, moves don't wait for each other.
  const laneCount = Math.max(1, Math.min(movesMax, pool.options.max - 1));
  const lanes: Promise<unknown>[] = Array(laneCount).fill(Promise.resolve());

  /** One after the other in one of the lanes, which is always the same for a listing. */
  function drain(listingId: string): Promise<void> {
    const lane = Number.parseInt(listingId.slice(-2), 16) % lanes.length;
    const done = Promise.resolve(lanes[lane]).then(() => drainNow(listingId));
    lanes[lane] = done.catch(() => {});
    return done;
  }

  async function drainNow(listingId: string): Promise<void> {
    let hasMore = true;
    while (hasMore) {
      hasMore = await inTransaction(pool, (tx) => moveOutboxRows(tx, { listingId, target: pool }));
    }
  }

  /** Whether all of it was moved. */
  async function tryToDrain(listingId: string): Promise<boolean> {
    try {
      await drain(listingId);
      return true;
    } catch (error) {
      log.warn({ reason: String(error), listingId }, "deliveries stay in the outbox for now");
      return false;
    }
  }

  return {
    async drainOutbox(listingId) {
      if (await isDistributed(pool)) await tryToDrain(listingId);
    },
    async drainOldOutbox({ olderThanMs }) {
      // Also on one server, where a backup of several was restored.
      const listingIds = await listOutboxListings(pool, { olderThanMs, limit: listingsMax });
      let count = 0;
      for (const listingId of listingIds) if (await tryToDrain(listingId)) count += 1;
      return count;
    },
  };
}
