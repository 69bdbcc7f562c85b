// Trains the topics that workspaces define themselves on ticks, and reads stored reviews for them. Slowly: new reviews have them at once.

import { systemDelay } from "../../lib/delay.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import type { FeatureContext } from "../feature.ts";
import { applyOwnTopics } from "./read-stored.ts";
import { trainOwnTopics } from "./train-topics.ts";

// An app that is added is noticed after so long; a topic that is created wakes it.
const intervalMs = minuteMs;
// A fast reader would leave nothing of the listing's lock to ingest.
const batchGapMs = 50;

/** Runs until the resources are closed. */
export function openOwnTopicWorker(context: FeatureContext, resources: ResourceStack): void {
  const { database, log } = context;
  const loop = startWorkerLoop({
    name: "own topic worker",
    log,
    retryMs: minuteMs,
    retryMsMax: minuteMs,
    async runRound(signal) {
      await trainOwnTopics(database);
      const readCount = await applyOwnTopics(database, async () => {
        await systemDelay(batchGapMs, signal);
        return !signal.aborted;
      });
      if (readCount > 0) log.info({ readCount }, "stored reviews were read for own topics");
      return intervalMs;
    },
  });
  resources.add(() => loop.close());
  resources.add(database.listen("topics", () => loop.wake()));
}
