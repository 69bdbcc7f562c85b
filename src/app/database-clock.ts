// The clock of this installation: the database's time, which all processes share, kept steady against a
// machine whose clock is wrong for a moment.
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { createSteadyClock } from "../lib/steady-clock.ts";
import { secondMs } from "../lib/timestamp.ts";

const observeMs = 20 * secondMs;
// An answer that took longer says too little about now.
const roundTripMsMax = secondMs / 2;

/** Reads the database's time until the resources are closed. */
export async function openDatabaseClock(
  { database, log }: { database: Pick<Database, "readTime">; log: Log },
  resources: ResourceStack,
): Promise<Clock> {
  const clock = createSteadyClock(await database.readTime());
  const observe = async (): Promise<void> => {
    const startedMs = monotonicMs();
    try {
      const moment = await database.readTime();
      const tookMs = monotonicMs() - startedMs;
      if (tookMs <= roundTripMsMax) clock.observe(new Date(moment.getTime() + tookMs / 2));
    } catch (error) {
      // The clock runs on; the next reading corrects it.
      log.debug({ err: error }, "could not read the time of the database");
    }
  };
  let observing = Promise.resolve();
  const timer = setInterval(() => {
    observing = observing.then(observe);
  }, observeMs);
  timer.unref();
  resources.add(async () => {
    clearInterval(timer);
    await observing;
  });
  return clock;
}
