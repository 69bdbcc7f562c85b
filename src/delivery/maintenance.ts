// What has to happen now and then: channels that nobody looks at are found, and old deliveries go.
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { dayMs } from "../lib/timestamp.ts";
import type { Queue } from "./queue.ts";

// Small enough to be over in a moment: nobody waits behind it.
const batchMax = 1_000;

/** Returns how many channels had been overlooked and how many deliveries went. */
export async function runUpkeep(
  upkeep: {
    clock: Clock;
    log: Log;
    queue: Pick<Queue, "repairQueue" | "deleteOldDeliveries">;
  },
  settings: { retentionDays: number },
): Promise<{ repairedCount: number; deletedCount: number }> {
  const { clock, log, queue } = upkeep;
  const repairedCount = await queue.repairQueue(clock.now());
  if (repairedCount > 0)
    log.warn({ repairedCount }, "channels with due deliveries had been overlooked");
  const before = new Date(clock.now().getTime() - settings.retentionDays * dayMs);
  let deletedCount = 0;
  for (;;) {
    const count = await queue.deleteOldDeliveries({ before, limit: batchMax });
    deletedCount += count;
    if (count < batchMax) break;
  }
  if (deletedCount > 0) log.info({ deletedCount }, "old deliveries were deleted");
  return { repairedCount, deletedCount };
}
