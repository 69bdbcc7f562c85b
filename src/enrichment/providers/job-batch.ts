// One request to a provider and what follows: answers are kept, a refused text is tried alone and then
// given up, and a provider that can't answer is left alone for longer each time.

import type {
  ProviderFailure,
  ProviderJob,
  ProviderKind,
  ProviderState,
} from "../../domain/provider.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { dayMs, dayOf, minuteMs, secondMs } from "../../lib/timestamp.ts";
import type { JobHandler, JobResult } from "./job-handler.ts";

export type JobBatchDeps = {
  clock: Clock;
  log: Log;
  jobs: {
    reserveProviderCost(reserve: {
      kind: ProviderKind;
      day: string;
      cost: number;
      costMax: number;
    }): Promise<boolean>;
    releaseProviderJobs(postpone: {
      jobs: readonly ProviderJob[];
      dueAt: Date;
      reason: string | null;
    }): Promise<void>;
    findProviderState(kind: ProviderKind): Promise<ProviderState | null>;
    recordProviderSuccess(good: { kind: ProviderKind; provider: string; now: Date }): Promise<void>;
    recordProviderFailure(failure: {
      kind: ProviderKind;
      provider: string;
      reason: string;
      now: Date;
      restsUntil: Date;
    }): Promise<void>;
  };
};

// A text that was refused as often as this is not asked about again.
const textAttemptsMax = 3;
// A provider can be down for hours; a text on which it breaks down must not hold up the others.
const attemptsMax = 12;
const restMs = 15 * secondMs;
const restMsMax = 15 * minuteMs;

/** Jobs that share a request. One that failed before goes alone: it may be what spoils the others. */
export function toBatches<A>(jobs: readonly ProviderJob[], desk: JobHandler<A>): ProviderJob[][] {
  const batches: ProviderJob[][] = [];
  const open = new Map<string, { batch: ProviderJob[]; characters: number }>();
  for (const job of jobs) {
    const group = desk.groupOf(job);
    const last = job.attemptCount > 0 ? undefined : open.get(group);
    const fits =
      last &&
      last.batch.length < desk.batchMax.jobs &&
      last.characters + charactersOf(job) <= desk.batchMax.characters;
    if (last && fits) {
      last.batch.push(job);
      last.characters += charactersOf(job);
      continue;
    }
    const batch = [job];
    batches.push(batch);
    if (job.attemptCount === 0) open.set(group, { batch, characters: charactersOf(job) });
  }
  return batches;
}

/** False when the provider is to be left alone from here on. */
export async function runBatch<A>(
  room: JobBatchDeps,
  desk: JobHandler<A>,
  batch: readonly ProviderJob[],
): Promise<boolean> {
  const { clock, jobs } = room;
  const { kind, dayMax: costMax } = desk;
  const now = clock.now();
  const cost = desk.unit === "reviews" ? batch.length : sum(batch.map(charactersOf));
  if (!(await jobs.reserveProviderCost({ kind, day: dayOf(now), cost, costMax }))) {
    const restsUntil = new Date(Date.parse(dayOf(now)) + dayMs);
    const reason = `the day's limit of ${costMax} ${desk.unit} is used up`;
    await startCooldown(room, desk, { reason, restsUntil });
    await jobs.releaseProviderJobs({ jobs: batch, dueAt: restsUntil, reason: null });
    return false;
  }
  const asked = await desk.execute(batch);
  if (asked.kind === "failed" && asked.about === "provider") {
    await backOff(room, desk, { failure: asked, batch });
    return false;
  }
  await recordSuccess(room, desk);
  await saveResult(room, desk, { asked, batch });
  return true;
}

async function saveResult<A>(
  room: JobBatchDeps,
  desk: JobHandler<A>,
  settled: { asked: JobResult<A>; batch: readonly ProviderJob[] },
): Promise<void> {
  const { asked, batch } = settled;
  if (asked.kind === "impossible") {
    room.log.info(
      { kind: desk.kind, reason: asked.reason },
      "a provider can't do what it is asked",
    );
    await desk.save(batch.map((job) => ({ job, answer: null })));
    return;
  }
  if (asked.kind === "failed") {
    await retryJobs(room, desk, { jobs: batch, reason: asked.reason });
    return;
  }
  const answered = batch.map((job, index) => ({ job, answer: asked.answers[index] ?? null }));
  await desk.save(answered.filter(({ answer }) => answer !== null));
  const useless = answered.filter(({ answer }) => answer === null).map(({ job }) => job);
  await retryJobs(room, desk, { jobs: useless, reason: "its answer was of no use" });
}

/** Texts that were refused: later, alone, a few times. */
async function retryJobs<A>(
  { clock, jobs, log }: JobBatchDeps,
  desk: JobHandler<A>,
  again: { jobs: readonly ProviderJob[]; reason: string },
): Promise<void> {
  if (again.jobs.length === 0) return;
  const { reason } = again;
  const isSpent = ({ attemptCount }: ProviderJob): boolean => attemptCount + 1 >= textAttemptsMax;
  const spent = again.jobs.filter(isSpent);
  log.warn(
    {
      kind: desk.kind,
      provider: desk.provider,
      reason,
      count: again.jobs.length,
      givenUp: spent.length,
    },
    "a provider did not take what it was asked",
  );
  if (spent.length > 0) await desk.save(spent.map((job) => ({ job, answer: null })));
  const rest = again.jobs.filter((job) => !isSpent(job));
  await jobs.releaseProviderJobs({ jobs: rest, dueAt: clock.now(), reason });
}

async function backOff<A>(
  room: JobBatchDeps,
  desk: JobHandler<A>,
  broken: { failure: ProviderFailure; batch: readonly ProviderJob[] },
): Promise<void> {
  const { failure, batch } = broken;
  const state = await room.jobs.findProviderState(desk.kind);
  const backoffMs = Math.min(restMs * 2 ** (state?.failureCount ?? 0), restMsMax);
  const restsUntil = new Date(room.clock.now().getTime() + (failure.cooldownMs ?? backoffMs));
  await startCooldown(room, desk, { reason: failure.reason, restsUntil });
  const isSpent = ({ attemptCount }: ProviderJob): boolean => attemptCount + 1 >= attemptsMax;
  const spent = batch.filter(isSpent);
  if (spent.length > 0) await desk.save(spent.map((job) => ({ job, answer: null })));
  const jobs = batch.filter((job) => !isSpent(job));
  await room.jobs.releaseProviderJobs({ jobs, dueAt: restsUntil, reason: failure.reason });
}

async function startCooldown<A>(
  { clock, jobs, log }: JobBatchDeps,
  desk: JobHandler<A>,
  left: { reason: string; restsUntil: Date },
): Promise<void> {
  const { kind, provider } = desk;
  await jobs.recordProviderFailure({ kind, provider, ...left, now: clock.now() });
  const without = kind === "analyse" ? "; the built-in analysis stands" : "";
  log.warn({ kind, provider, ...left }, `a provider is left alone for a while${without}`);
}

async function recordSuccess<A>(
  { clock, jobs, log }: JobBatchDeps,
  desk: JobHandler<A>,
): Promise<void> {
  const { kind, provider } = desk;
  const state = await jobs.findProviderState(kind);
  if ((state?.failureCount ?? 0) > 0) log.info({ kind, provider }, "a provider answers again");
  await jobs.recordProviderSuccess({ kind, provider, now: clock.now() });
}

function charactersOf({ title, text }: ProviderJob): number {
  return (title?.length ?? 0) + text.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
