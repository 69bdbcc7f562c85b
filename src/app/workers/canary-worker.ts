// The canary: once a day, one process of all reads a page of a well-known app in each store whose public pages are read.
// A change of a store's layout is then noticed before it affects followed apps.
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import { nameOfCheck, planStoreChecks } from "../check-stores.ts";
import type { Container } from "../container.ts";

// A service that has just started has more urgent work.
const firstDelayMs = 10 * minuteMs;
const intervalMs = hourMs;
const dueAfterMs = 23 * hourMs;
// A fault can be a short problem of the store.
const faultyDueAfterMs = hourMs / 2;

/** Runs until the resources are closed. */
export function openCanaryWorker(container: Container, resources: ResourceStack): void {
  const loop = startWorkerLoop({
    name: "canary worker",
    log: container.log,
    firstDelayMs,
    async runRound(signal) {
      await checkDueStores(container, signal);
      return intervalMs;
    },
  });
  resources.add(() => loop.close());
}

/** Runs the checks that are due. The signal ends it after the current one. */
export async function checkDueStores(
  { clock, database, log, stores }: Pick<Container, "clock" | "database" | "log" | "stores">,
  signal: AbortSignal,
): Promise<void> {
  for (const check of planStoreChecks(stores)) {
    const { store, endpoint } = check;
    const now = clock.now();
    if (signal.aborted) return;
    const dueBefore = new Date(now.getTime() - dueAfterMs);
    const faultyDueBefore = new Date(now.getTime() - faultyDueAfterMs);
    const claim = { store, endpoint, now, dueBefore, faultyDueBefore };
    if (!(await database.claimStoreCheck(claim))) continue;
    const fault = await check.findFault();
    await database.saveStoreCheck({ store, endpoint, fault });
    if (fault !== null) {
      log.warn({ check: nameOfCheck(check), fault }, "a page of a well-known app looks wrong");
    }
  }
}
