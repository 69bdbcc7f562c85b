// What the service does for its analysis in the background: learns from the reviews that are kept, and
// analyses again what an older engine, or another adaptation, analysed. Slowly: nobody waits for it.
import { fineTuneLanguages } from "../../enrichment/fine-tune.ts";
import { reanalyze } from "../../enrichment/reanalyze.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import type { Container } from "../container.ts";

// A service that starts has better to do.
const firstMs = minuteMs;
const tickMs = 6 * hourMs;
// About two thousand reviews a second, which leaves most of a core to the rest.
const gapMs = 200;
const progressEvery = 50_000;

export function startAnalysisWorker(deps: Container, resources: ResourceStack): void {
  const { analyzer: analyzer, database, log } = deps;
  const stop = new AbortController();
  let wake = new AbortController();
  const goesOn = (): boolean => !stop.signal.aborted;

  async function run(): Promise<void> {
    await systemDelay(firstMs, stop.signal);
    while (goesOn()) {
      wake = new AbortController();
      await runAnalysisRound({ ...deps, delay: systemDelay }, stop.signal).catch((error: unknown) =>
        log.warn({ err: error }, "the analysis can't be looked after right now; later"),
      );
      await systemDelay(tickMs, AbortSignal.any([stop.signal, wake.signal]));
    }
  }

  async function takeNews(): Promise<void> {
    // What comes in from now on is analysed so; what is there follows.
    await analyzer.refresh();
    wake.abort();
  }

  const ended = run();
  resources.add(async () => {
    stop.abort();
    await ended;
  });
  resources.add(
    database.listen("analysis", () => {
      void takeNews().catch((error: unknown) =>
        log.warn({ err: error }, "the adaptations can't be read right now; later"),
      );
    }),
  );
}

/** One round. A signal ends it after the batch at work. */
export async function runAnalysisRound(
  deps: Pick<Container, "analyzer" | "clock" | "database" | "log"> & { delay: Delay },
  signal: AbortSignal,
): Promise<void> {
  const { analyzer: analyzer, database, log, delay } = deps;
  const goesOn = (): boolean => !signal.aborted;
  for (const adapted of await fineTuneLanguages(deps, { isForced: false, shouldContinue: goesOn })) {
    log.info(adapted, "the sentiment of a language was tried to be trained further");
  }
  await analyzer.refresh();
  const mark = analyzer.modelVersion();
  // To look for what is behind is to read all reviews: only when something changed.
  if (!goesOn() || (await database.findAnalyzedModelVersion()) === mark) return;
  let toldCount = 0;
  const { reviewCount, changedCount } = await reanalyze(deps, {
    workspaceId: null,
    onProgress(progress) {
      if (progress.doneCount - toldCount < progressEvery) return;
      toldCount = progress.doneCount;
      log.info(progress, "reviews are analysed again");
    },
    async goOn() {
      await delay(gapMs, signal);
      return goesOn();
    },
  });
  if (reviewCount > 0) log.info({ reviewCount, changedCount }, "reviews were analysed again");
  if (goesOn()) await database.saveAnalyzedModelVersion(mark);
}
