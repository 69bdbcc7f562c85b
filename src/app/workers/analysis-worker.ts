// The background work of analysis: fine-tunes sentiment on stored reviews, and analyzes again the reviews
// of an older version or of another fine-tuning. Slowly, because no user waits for it.
import { describeFineTuning, fineTuneLanguages } from "../../enrichment/fine-tune.ts";
import { type ReanalysisResult, reanalyze } from "../../enrichment/reanalyze.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import type { Container } from "../container.ts";

export type AnalysisWorkerDeps = Pick<Container, "analyzer" | "clock" | "database" | "log"> & {
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
  const { analyzer, clock, database, log } = container;
  const deps: AnalysisWorkerDeps = { analyzer, clock, database, log, delay: systemDelay };
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
  const refresh = async (): Promise<void> => {
    // New reviews are analyzed with the new weights at once; the loop follows with the stored ones.
    await analyzer.refresh();
    loop.wake();
  };
  const logFailure = (error: unknown): void =>
    log.warn({ err: error }, "the fine-tuned weights in use can't be read now; trying again later");
  resources.add(database.listen("analysis", () => void refresh().catch(logFailure)));
}

/** One round. The signal ends it after the current batch. */
export async function runAnalysisRound(
  deps: AnalysisWorkerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { analyzer, database, log } = deps;
  const shouldContinue = (): boolean => !signal.aborted;
  for (const run of await fineTuneLanguages(deps, { isForced: false, shouldContinue })) {
    log.info(run, describeFineTuning(run));
  }
  await analyzer.refresh();
  const modelVersion = analyzer.modelVersion();
  // Searching for outdated analyses reads all reviews, so it is done only after a change.
  if (!shouldContinue() || (await database.findAnalyzedModelVersion()) === modelVersion) return;
  // Twice: the first list of listings lacks those whose first outdated reviews were being saved when it was made.
  const first = await reanalyzeAll(deps, signal);
  const second = await reanalyzeAll(deps, signal);
  const reviewCount = first.reviewCount + second.reviewCount;
  if (reviewCount > 0) {
    const changedCount = first.changedCount + second.changedCount;
    log.info({ reviewCount, changedCount }, "stored reviews were analyzed again");
  }
  if (shouldContinue()) await database.saveAnalyzedModelVersion(modelVersion);
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
