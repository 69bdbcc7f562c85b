// The background work with a provider: claims jobs, asks about them in batches, one request at a time,
// and leaves the provider alone when it says so. Any number of processes share the jobs, the rests and
// the day's limit.
import { randomUUID } from "node:crypto";
import type { ProviderJob, ProviderKind } from "../../domain/provider.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Delay } from "../../lib/delay.ts";
import type { Log } from "../../lib/log.ts";
import { dayMs, minuteMs, secondMs } from "../../lib/timestamp.ts";
import { type JobBatchDeps, runBatch, toBatches } from "./job-batch.ts";
import type { JobHandler } from "./job-handler.ts";

export type JobWorkerDeps = JobBatchDeps & {
  clock: Clock;
  log: Log;
  delay: Delay;
  jobs: JobBatchDeps["jobs"] & {
    claimProviderJobs(claim: {
      kind: ProviderKind;
      token: string;
      limit: number;
      now: Date;
      leasedUntil: Date;
    }): Promise<ProviderJob[]>;
    pruneProviderJobs(old: { jobsBefore: Date; translationsBefore: Date }): Promise<number>;
  };
};

export type ProviderWorker = {
  /** There may be work: look now instead of at the next tick. */
  wake(): void;
  /** Ends after the request in flight; what was not asked about is given back. */
  close(): Promise<void>;
};

const tickMs = 5 * secondMs;
/** Between two requests of one process, so that nobody takes it for an attack. */
const gapMs = 200;
// A lease outlives the slowest request that can begin within it.
const leaseMs = 10 * minuteMs;
const workMsMax = 5 * minuteMs;
const claimMax = 50;
const jobDaysMax = 30;
const translationDaysMax = 180;

export function startJobWorker<A>(room: JobWorkerDeps, desk: JobHandler<A>): ProviderWorker {
  const stop = new AbortController();
  let wakeUp = new AbortController();
  const loop = run();

  async function run(): Promise<void> {
    await pruneProviderData(room);
    while (!stop.signal.aborted) {
      wakeUp = new AbortController();
      const signal = AbortSignal.any([stop.signal, wakeUp.signal]);
      const end = await runJobRound(room, desk, stop.signal).catch((error: unknown) => {
        room.log.warn({ err: error, kind: desk.kind }, "providers' jobs can't be worked on; later");
        return "idle" as const;
      });
      if (end === "idle") await room.delay(tickMs, signal);
    }
  }

  return {
    wake: () => wakeUp.abort(),
    async close() {
      stop.abort();
      await loop;
    },
  };
}

/** One claim and what becomes of it. `idle`: nothing is due, or the provider is left alone. */
export async function runJobRound<A>(
  room: JobWorkerDeps,
  desk: JobHandler<A>,
  stop?: AbortSignal,
): Promise<"worked" | "idle"> {
  const now = room.clock.now();
  const state = await room.jobs.findProviderState(desk.kind);
  const rests = state?.provider === desk.provider ? state.cooldownUntil : null;
  if (rests !== null && rests > now) return "idle";
  const claimed = await room.jobs.claimProviderJobs({
    kind: desk.kind,
    token: randomUUID(),
    limit: claimMax,
    now,
    leasedUntil: new Date(now.getTime() + leaseMs),
  });
  if (claimed.length === 0) return "idle";
  const batches = toBatches(await desk.resolveWithoutRequest(claimed), desk);
  const endsAt = now.getTime() + workMsMax;
  for (const [index, batch] of batches.entries()) {
    const isOver = stop?.aborted === true || room.clock.now().getTime() > endsAt;
    const goesOn = !isOver && (await runBatch(room, desk, batch));
    if (!goesOn) {
      const left = batches.slice(isOver ? index : index + 1).flat();
      await room.jobs.releaseProviderJobs({ jobs: left, dueAt: room.clock.now(), reason: null });
      return "idle";
    }
    await room.delay(gapMs, stop);
  }
  return "worked";
}

async function pruneProviderData({ clock, jobs, log }: JobWorkerDeps): Promise<void> {
  const before = (days: number): Date => new Date(clock.now().getTime() - days * dayMs);
  await jobs
    .pruneProviderJobs({
      jobsBefore: before(jobDaysMax),
      translationsBefore: before(translationDaysMax),
    })
    .catch((error: unknown) => log.warn({ err: error }, "old provider data was not deleted"));
}
