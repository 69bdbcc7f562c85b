// Bounds what would grow for ever, once an hour: which reviews channels got, old daily ratings, what removed apps
// left behind, and the sizes of tables that the status shows. Deliveries have a retention of their own, see delivery/maintenance.ts.
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { dayMs, dayOf, hourMs, minuteMs } from "../../lib/timestamp.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import { deleteRemovedListings } from "../../use-cases/apps/removed-listings.ts";
import type { Container } from "../container.ts";

// A service that has just started has more urgent work.
const firstDelayMs = minuteMs;
const intervalMs = hourMs;
/** Thirteen months: charts of the last year, and the same month a year before, have each day. */
const dailySnapshotDays = 396;
const tableSizeDays = 30;
// Small enough to be over in a moment.
const channelReviewsMax = 10_000;
const listingsMax = 100;

type RetentionDeps = Pick<Container, "clock" | "database" | "log">;

/** Runs until the resources are closed. */
export function openRetentionWorker(container: Container, resources: ResourceStack): void {
  const { config, log } = container;
  const loop = startWorkerLoop({
    name: "retention worker",
    log,
    firstDelayMs,
    async runRound(signal) {
      await runRetentionRound(container, { editEventDays: config.editEventDays, signal });
      return intervalMs;
    },
  });
  resources.add(() => loop.close());
  // Each new connection is announced without an id.
  const stopListening = container.database.listen("removals", (id) => {
    if (id !== "") loop.wake();
  });
  resources.add(stopListening);
}

/** One round. The signal ends it after the current batch. */
export async function runRetentionRound(
  deps: RetentionDeps,
  { editEventDays, signal }: { editEventDays: number; signal: AbortSignal },
): Promise<void> {
  const { database, log } = deps;
  await database.recordTableSizes(tableSizeDays);
  const removedRowCount = await deleteRemovedListings(database, { signal });
  if (removedRowCount > 0)
    log.info({ removedRowCount }, "what removed apps left behind is deleted");
  let pairCount = 0;
  for (let batch = channelReviewsMax; batch === channelReviewsMax && !signal.aborted; ) {
    batch = await database.deleteOldChannelReviews({
      olderThanDays: editEventDays,
      limit: channelReviewsMax,
    });
    pairCount += batch;
  }
  const snapshotCount = await thinSnapshots(deps, signal);
  if (pairCount + snapshotCount > 0) {
    log.info(
      { pairCount, snapshotCount },
      "what channels got long ago, and daily ratings of over a year ago, were thinned",
    );
  }
}

async function thinSnapshots(
  { clock, database }: RetentionDeps,
  signal: AbortSignal,
): Promise<number> {
  const beforeDay = dayOf(new Date(clock.now().getTime() - dailySnapshotDays * dayMs));
  let count = 0;
  let afterListingId: string | null = null;
  do {
    const thinned: { lastListingId: string | null; deletedCount: number } =
      await database.thinSnapshots({ afterListingId, beforeDay, listingCount: listingsMax });
    count += thinned.deletedCount;
    afterListingId = thinned.lastListingId;
  } while (afterListingId !== null && !signal.aborted);
  return count;
}
