// The worker of one kind of job: claims jobs, sends them to the provider in batches, one request at a time,
// and waits out the provider's cooldown. Any number of processes share jobs, cooldowns and daily limits.
import { randomUUID } from "node:crypto";
import type { Database } from "../../../database/database.ts";
import type { Delay } from "../../../lib/delay.ts";
import { dayMs, minuteMs, secondMs } from "../../../lib/timestamp.ts";
import { startWorkerLoop, type WorkerLoop } from "../../../lib/worker-loop.ts";
import { type JobBatchDeps, runBatch, toBatches } from "./job-batch.ts";
import type { JobHandler } from "./job-handler.ts";

export type JobWorkerDeps = JobBatchDeps & {
  delay: Delay;
  jobs: Pick<Database, "claimProviderJobs" | "pruneProviderJobs">;
};

const pollMs = 5 * secondMs;
/** Between two requests of one process, to spare the provider. */
const requestGapMs = 200;
// A lease outlives the slowest request that can begin within a round.
const leaseMs = 10 * minuteMs;
const roundMsMax = 5 * minuteMs;
const claimMax = 50;
const jobDaysMax = 30;
const translationDaysMax = 180;
const pruneEveryMs = dayMs;
const requestMsMax = 2 * minuteMs;

/** Closing waits for the request in flight; jobs that were not sent become due for other workers. */
export function startJobWorker<Result>(
  deps: JobWorkerDeps,
  handler: JobHandler<Result>,
): WorkerLoop {
  let pruneAtMs = 0;
  return startWorkerLoop({
    name: `${handler.kind} worker`,
    log: deps.log,
    delay: deps.delay,
    retryMs: pollMs,
    closeMsMax: requestMsMax,
    async runRound(signal) {
      const nowMs = deps.clock.now().getTime();
      if (nowMs >= pruneAtMs) {
        await pruneJobs(deps);
        pruneAtMs = nowMs + pruneEveryMs;
      }
      return (await runJobRound(deps, handler, signal)) === "worked" ? 0 : pollMs;
    },
  });
}

/** One claim and its requests. `idle`: nothing is due, or the provider has a cooldown. */
export async function runJobRound<Result>(
  deps: JobWorkerDeps,
  handler: JobHandler<Result>,
  signal?: AbortSignal,
): Promise<"worked" | "idle"> {
  const { clock, jobs, delay } = deps;
  const now = clock.now();
  const state = await jobs.findProviderState(handler.kind);
  // The cooldown of another provider, configured before, means nothing.
  const cooldownUntil = state?.provider === handler.provider ? state.cooldownUntil : null;
  if (cooldownUntil !== null && cooldownUntil > now) return "idle";
  const claimed = await jobs.claimProviderJobs({
    kind: handler.kind,
    token: randomUUID(),
    limit: claimMax,
    now,
    leasedUntil: new Date(now.getTime() + leaseMs),
  });
  if (claimed.length === 0) return "idle";
  const batches = toBatches(await handler.resolveWithoutRequest(claimed), handler);
  const endsAt = now.getTime() + roundMsMax;
  for (const [index, batch] of batches.entries()) {
    const isOver = signal?.aborted === true || clock.now().getTime() > endsAt;
    if (isOver || !(await runBatch(deps, handler, batch))) {
      const unsent = batches.slice(isOver ? index : index + 1).flat();
      await jobs.releaseProviderJobs({ jobs: unsent, dueAt: clock.now(), reason: null });
      return "idle";
    }
    await delay(requestGapMs, signal);
  }
  return "worked";
}

async function pruneJobs({ clock, jobs, log }: JobWorkerDeps): Promise<void> {
  const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * dayMs);
  await jobs
    .pruneProviderJobs({
      jobsBefore: daysAgo(jobDaysMax),
      translationsBefore: daysAgo(translationDaysMax),
    })
    .catch((error: unknown) => log.warn({ err: error }, "old provider jobs could not be deleted"));
}
