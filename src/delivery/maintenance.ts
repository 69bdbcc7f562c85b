// What has to happen now and then: channels that nobody looks at are found, days of the log come and go, and
// what deleted channels left behind goes.
import { type Clock, monotonicMs } from "../lib/clock.ts";
import { type Delay, systemDelay } from "../lib/delay.ts";
import type { Log } from "../lib/log.ts";
import { dayMs } from "../lib/timestamp.ts";
import type { Queue } from "./queue.ts";

// Small enough to be over in a moment: nobody waits behind it.
const batchMax = 250;
// After each batch the database has three times as long for those who wait for it.
const restShare = 3;
// What is left then goes in the next turn: overlooked channels are looked for in between.
const deletingMsMax = 45_000;
const daysAhead = 4;

type MaintenanceDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<
    Queue,
    | "transaction"
    | "repairQueue"
    | "freeAbandonedChannels"
    | "deleteOldDeliveries"
    | "deleteEndedSecrets"
    | "findDeletedChannel"
    | "deleteRemains"
  >;
  /** What can go on later is broken off by it. */
  signal: AbortSignal;
  delay?: Delay;
};

/** Returns how many channels had been overlooked and how many deliveries went. */
export async function runMaintenance(
  deps: MaintenanceDeps,
  settings: { retentionDays: number },
): Promise<{ repairedCount: number; deletedCount: number }> {
  const { clock, log, queue } = deps;
  const now = clock.now();
  const repairedCount = (await queue.freeAbandonedChannels(now)) + (await queue.repairQueue(now));
  if (repairedCount > 0)
    log.warn({ repairedCount }, "channels with due deliveries had been overlooked");
  await queue.deleteEndedSecrets(now);
  await keepDays(deps, settings);
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(deletingMsMax)]);
  const deletedCount = await deleteOld({ ...deps, signal }, settings);
  await deleteRemains({ ...deps, signal });
  return { repairedCount, deletedCount };
}

async function keepDays(
  { clock, log, queue }: MaintenanceDeps,
  { retentionDays }: { retentionDays: number },
): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - retentionDays * dayMs);
  try {
    await queue.transaction((tx) => tx.addDeliveryDays({ from: now, dayCount: daysAhead }));
    const dropped = await queue.transaction((tx) => tx.dropDeliveryDays(before));
    if (dropped.length > 0) log.info({ dropped }, "old days of the delivery log were dropped");
  } catch (error) {
    // A long read locks the partitions. Rows without a partition of their day go into the default one.
    log.warn({ reason: String(error) }, "the days of the delivery log can't be changed right now");
  }
}

async function deleteOld(
  deps: MaintenanceDeps,
  { retentionDays }: { retentionDays: number },
): Promise<number> {
  const { clock, log, queue } = deps;
  const before = new Date(clock.now().getTime() - retentionDays * dayMs);
  const deletedCount = await deleteInBatches(deps, {
    deleteBatch: () => queue.deleteOldDeliveries({ before, limit: batchMax }),
    endsBelow: batchMax,
  });
  if (deletedCount > 0) log.info({ deletedCount }, "old deliveries were deleted");
  return deletedCount;
}

async function deleteRemains(deps: MaintenanceDeps): Promise<void> {
  const { queue, signal } = deps;
  while (!signal.aborted) {
    const channelId = await queue.findDeletedChannel();
    if (channelId === null) return;
    await deleteInBatches(deps, {
      deleteBatch: () => queue.deleteRemains({ channelId, limit: batchMax }),
      endsBelow: 1,
    });
  }
}

/** Deletes until a batch has fewer rows than that, and rests after each; returns how many were deleted. */
async function deleteInBatches(
  { signal, delay = systemDelay }: Pick<MaintenanceDeps, "signal" | "delay">,
  { deleteBatch, endsBelow }: { deleteBatch: () => Promise<number>; endsBelow: number },
): Promise<number> {
  let deletedCount = 0;
  while (!signal.aborted) {
    const beganMs = monotonicMs();
    const count = await deleteBatch();
    deletedCount += count;
    if (count < endsBelow) break;
    await delay(restShare * (monotonicMs() - beganMs), signal);
  }
  return deletedCount;
}
