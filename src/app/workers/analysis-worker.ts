// Analyzes stored reviews again after an upgrade of the engine. Slowly, because no user waits for it.
import { analysisVersion } from "../../analysis/analyze.ts";
import { type ReanalysisResult, reanalyze } from "../../ingest/reanalyze.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import type { Container } from "../container.ts";

type AnalysisWorkerDeps = Pick<Container, "clock" | "database" | "log"> & {
  delay: Delay;
};

// A service that has just started has more urgent work.
const firstDelayMs = minuteMs;
const intervalMs = 6 * hourMs;
// About two thousand reviews a second, which leaves most of a core to other work.
const batchGapMs = 200;
const progressEvery = 50_000;

/** Runs until the resources are closed. */
export function openAnalysisWorker(container: Container, resources: ResourceStack): void {
  const { clock, database, log } = container;
  const deps: AnalysisWorkerDeps = { clock, database, log, delay: systemDelay };
  const loop = startWorkerLoop({
    name: "analysis worker",
    log,
    firstDelayMs,
    retryMs: minuteMs,
    retryMsMax: intervalMs,
    async runRound(signal) {
      await runAnalysisRound(deps, signal);
      return intervalMs;
    },
  });
  resources.add(() => loop.close());
}

/** One round. The signal ends it after the current batch. */
export async function runAnalysisRound(
  deps: AnalysisWorkerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { clock, database, log } = deps;
  // Searching for outdated analyses reads all reviews, so it is done only after a change.
  if (signal.aborted || (await database.isAnalyzedWith(analysisVersion))) return;
  // Twice: the first list of listings lacks those whose first outdated reviews were being saved when it was made.
  const first = await reanalyzeAll(deps, signal);
  const second = await reanalyzeAll(deps, signal);
  const reviewCount = first.reviewCount + second.reviewCount;
  if (reviewCount > 0) {
    const changedCount = first.changedCount + second.changedCount;
    log.info({ reviewCount, changedCount }, "stored reviews were analyzed again");
  }
  if (!signal.aborted)
    await database.saveAnalysisRun({ version: analysisVersion, now: clock.now() });
}

function reanalyzeAll(deps: AnalysisWorkerDeps, signal: AbortSignal): Promise<ReanalysisResult> {
  const { log, delay } = deps;
  let loggedCount = 0;
  return reanalyze(deps, {
    workspaceId: null,
    onProgress(progress) {
      if (progress.doneCount - loggedCount < progressEvery) return;
      loggedCount = progress.doneCount;
      log.info(progress, "analyzing stored reviews again");
    },
    async shouldContinue() {
      await delay(batchGapMs, signal);
      return !signal.aborted;
    },
  });
}
