// Periodic maintenance: finds overlooked channels, rotates daily log partitions and purges rows of deleted channels.

import type { DatabaseTransaction, DeliveryQueue } from "../../database/database.ts";
import { type Clock, monotonicMs } from "../../lib/clock.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import type { Log } from "../../lib/log.ts";
import { dayMs } from "../../lib/timestamp.ts";

// Small enough to be over in a moment: other statements hardly wait for it.
const batchMax = 250;
// After each batch, the database has three times as long for other statements.
const restShare = 3;
// The rest follows in the next round: overlooked channels are looked for in between.
const deletingMsMax = 45_000;
const daysAhead = 4;

type MaintenanceDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<
    DeliveryQueue,
    | "transaction"
    | "repairQueue"
    | "findOldestDelivery"
    | "deleteOldDeliveries"
    | "deleteEndedSecrets"
    | "findDeletedChannel"
    | "deleteRemains"
  >;
  /** Aborts work that can resume in the next round. */
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
  const repairedCount = await queue.repairQueue(now);
  if (repairedCount > 0)
    log.warn({ repairedCount }, "channels with due deliveries had been overlooked");
  await queue.deleteEndedSecrets(now);
  // Rows without a partition of their day go into the default one.
  await changeDays(deps, (tx) => tx.addDeliveryDays({ from: now, dayCount: daysAhead }));
  // A wrong time would delete deliveries that are still wanted.
  if (clock.isSettled?.() === false) return { repairedCount, deletedCount: 0 };
  const endsAt = new Date(now.getTime() - settings.retentionDays * dayMs);
  const dropped = await changeDays(deps, (tx) => tx.dropOldestDay(endsAt));
  if (dropped?.length) log.info({ dropped }, "an old day of the delivery log was dropped");
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(deletingMsMax)]);
  const deletedCount = await deleteOld({ ...deps, signal }, endsAt);
  await deleteRemains({ ...deps, signal });
  return { repairedCount, deletedCount };
}

/** A long read, a backup for example, locks the days of the log: the next round tries again. Null then. */
async function changeDays<Result>(
  { log, queue }: MaintenanceDeps,
  work: (tx: DatabaseTransaction) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await queue.transaction(work);
  } catch (error) {
    log.warn({ reason: String(error) }, "days of the delivery log can't be changed right now");
    return null;
  }
}

/** For rows whose day stays: one day of them in a round. */
async function deleteOld(deps: MaintenanceDeps, endsAt: Date): Promise<number> {
  const { log, queue } = deps;
  const oldest = await queue.findOldestDelivery(endsAt);
  if (oldest === null) return 0;
  const before = new Date(Math.min(endsAt.getTime(), oldest.getTime() + dayMs));
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
