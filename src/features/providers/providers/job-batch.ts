// One request to a provider and its consequences: results are saved, a refused text is sent alone and then
// given up, and a provider that fails gets a cooldown, longer each time.

import type { Database } from "../../../database/database.ts";
import type { ProviderFailure, ProviderJob } from "../../../domain/review/provider.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { dayMs, dayOf, minuteMs, secondMs } from "../../../lib/timestamp.ts";
import type { JobHandler, JobResponse } from "./job-handler.ts";

export type JobBatchDeps = {
  clock: Clock;
  log: Log;
  jobs: Pick<
    Database,
    | "reserveProviderCost"
    | "releaseProviderJobs"
    | "findProviderState"
    | "recordProviderSuccess"
    | "recordProviderFailure"
  >;
};

/** A text that was refused this often is given up. */
const textAttemptsMax = 3;
/** A text that the provider failed on this often is given up, so that it can't block the others. */
const attemptsMax = 12;
const cooldownMs = 15 * secondMs;
const cooldownMsMax = 15 * minuteMs;

/** Groups jobs into requests. One that failed before goes alone: it may have spoiled its batch. */
export function toBatches<Result>(
  jobs: readonly ProviderJob[],
  { batchKeyOf, batchMax }: Pick<JobHandler<Result>, "batchKeyOf" | "batchMax">,
): ProviderJob[][] {
  const batches: ProviderJob[][] = [];
  const open = new Map<string, { batch: ProviderJob[]; characters: number }>();
  for (const job of jobs) {
    const key = batchKeyOf(job);
    const characters = charactersOf(job);
    const last = job.attemptCount > 0 ? undefined : open.get(key);
    const fits =
      last &&
      last.batch.length < batchMax.jobs &&
      last.characters + characters <= batchMax.characters;
    if (last && fits) {
      last.batch.push(job);
      last.characters += characters;
      continue;
    }
    const batch = [job];
    batches.push(batch);
    if (job.attemptCount === 0) open.set(key, { batch, characters });
  }
  return batches;
}

/** Returns false when the provider has a cooldown from here on. */
export async function runBatch<Result>(
  deps: JobBatchDeps,
  handler: JobHandler<Result>,
  batch: readonly ProviderJob[],
): Promise<boolean> {
  const { clock, jobs } = deps;
  const { kind, dayMax: costMax, unit } = handler;
  const day = dayOf(clock.now());
  const characters = batch.reduce((sum, job) => sum + charactersOf(job), 0);
  const cost = unit === "reviews" ? batch.length : characters;
  if (!(await jobs.reserveProviderCost({ kind, day, cost, costMax }))) {
    const cooldownUntil = new Date(Date.parse(day) + dayMs);
    const reason = `the day's limit of ${costMax} ${unit} is used up`;
    await startCooldown(deps, handler, { reason, cooldownUntil });
    await jobs.releaseProviderJobs({ jobs: batch, dueAt: cooldownUntil, reason: null });
    return false;
  }
  const response = await handler.execute(batch);
  if (response.kind === "failed" && response.about === "provider") {
    await backOff(deps, handler, { failure: response, batch });
    return false;
  }
  await recordSuccess(deps, handler);
  await saveResponse(deps, handler, { response, batch });
  return true;
}

async function saveResponse<Result>(
  deps: JobBatchDeps,
  handler: JobHandler<Result>,
  { response, batch }: { response: JobResponse<Result>; batch: readonly ProviderJob[] },
): Promise<void> {
  if (response.kind === "unsupported") {
    const { kind, provider } = handler;
    const facts = { kind, provider, reason: response.reason, reviewCount: batch.length };
    deps.log.info(facts, "a provider does not support these reviews; they stay as they are");
    await giveUp(handler, batch);
    return;
  }
  if (response.kind === "failed") {
    await retryJobs(deps, handler, { jobs: batch, reason: response.reason });
    return;
  }
  const results = batch.map((job, index) => ({ job, result: response.results[index] ?? null }));
  await handler.save(results.filter(({ result }) => result !== null));
  const unusable = results.filter(({ result }) => result === null).map(({ job }) => job);
  await retryJobs(deps, handler, { jobs: unusable, reason: "its response could not be used" });
}

/** Texts that were refused are sent again alone, a few times. */
async function retryJobs<Result>(
  { clock, jobs, log }: JobBatchDeps,
  handler: JobHandler<Result>,
  refused: { jobs: readonly ProviderJob[]; reason: string },
): Promise<void> {
  if (refused.jobs.length === 0) return;
  const { reason } = refused;
  const { exhausted, remaining } = splitByAttempts(refused.jobs, textAttemptsMax);
  const { kind, provider } = handler;
  const counts = { count: refused.jobs.length, givenUp: exhausted.length };
  log.warn({ kind, provider, reason, ...counts }, "a provider refused reviews; trying each alone");
  await giveUp(handler, exhausted);
  await jobs.releaseProviderJobs({ jobs: remaining, dueAt: clock.now(), reason });
}

async function backOff<Result>(
  deps: JobBatchDeps,
  handler: JobHandler<Result>,
  { failure, batch }: { failure: ProviderFailure; batch: readonly ProviderJob[] },
): Promise<void> {
  const { clock, jobs } = deps;
  const { reason } = failure;
  const state = await jobs.findProviderState(handler.kind);
  const backoffMs = Math.min(cooldownMs * 2 ** (state?.failureCount ?? 0), cooldownMsMax);
  const cooldownUntil = new Date(clock.now().getTime() + (failure.cooldownMs ?? backoffMs));
  await startCooldown(deps, handler, { reason, cooldownUntil });
  const { exhausted, remaining } = splitByAttempts(batch, attemptsMax);
  await giveUp(handler, exhausted);
  await jobs.releaseProviderJobs({ jobs: remaining, dueAt: cooldownUntil, reason });
}

async function startCooldown<Result>(
  { clock, jobs, log }: JobBatchDeps,
  { kind, provider }: JobHandler<Result>,
  cooldown: { reason: string; cooldownUntil: Date },
): Promise<void> {
  await jobs.recordProviderFailure({ kind, provider, ...cooldown, now: clock.now() });
  const meanwhile = kind === "analyse" ? "; until then the built-in analysis stands" : "";
  const until = cooldown.cooldownUntil.toISOString();
  const message = `${provider} failed: ${cooldown.reason}; next try at ${until}${meanwhile}`;
  log.warn({ kind, provider, ...cooldown }, message);
}

async function recordSuccess<Result>(
  { clock, jobs, log }: JobBatchDeps,
  { kind, provider }: JobHandler<Result>,
): Promise<void> {
  const state = await jobs.findProviderState(kind);
  if ((state?.failureCount ?? 0) > 0) log.info({ kind, provider }, `${provider} responds again`);
  await jobs.recordProviderSuccess({ kind, provider, now: clock.now() });
}

async function giveUp<Result>(
  handler: JobHandler<Result>,
  jobs: readonly ProviderJob[],
): Promise<void> {
  if (jobs.length > 0) await handler.save(jobs.map((job) => ({ job, result: null })));
}

function splitByAttempts(jobs: readonly ProviderJob[], countMax: number) {
  const isExhausted = ({ attemptCount }: ProviderJob): boolean => attemptCount + 1 >= countMax;
  return {
    exhausted: jobs.filter(isExhausted),
    remaining: jobs.filter((job) => !isExhausted(job)),
  };
}

function charactersOf({ title, text }: ProviderJob): number {
  return (title?.length ?? 0) + text.length;
}
