// Moves what a killed process left in the outbox. Whoever puts something there moves it itself, right after its commit.
import { systemDelay } from "../../lib/delay.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import type { Container } from "../container.ts";

const intervalMs = 5 * secondMs;
// Longer than a move takes.
const olderThanMs = 5 * secondMs;

/** Runs until the resources are closed. */
export function openOutboxWorker(
  { database, log }: Pick<Container, "database" | "log">,
  resources: ResourceStack,
): void {
  const loop = startWorkerLoop({
    name: "outbox worker",
    log,
    delay: systemDelay,
    async runRound() {
      const listingCount = await database.drainOldOutbox({ olderThanMs });
      if (listingCount > 0) {
        log.info({ listingCount }, "what another process left in the outbox was queued");
        await database.notify("deliveries");
      }
      return intervalMs;
    },
  });
  resources.add(() => loop.close());
}
