// Saves outcomes of attempts, with the health of their channels, in batches. While the database is away they wait, as
// long as their channels are held; a statement that failed for the moment is tried again, and a batch that can't be saved
// at all is saved one by one.
import type { DeliveryQueue } from "../../database/database.ts";
import type { FinishedAttempt } from "../../domain/channel/delivery.ts";
import { AppError } from "../../domain/error.ts";
import type { Clock } from "../../lib/clock.ts";
import { systemDelay } from "../../lib/delay.ts";
import type { Log } from "../../lib/log.ts";
import { startWorkerLoop, type WorkerLoop } from "../../lib/worker-loop.ts";
import type { HeldChannel } from "./held-channel.ts";

export type Outcome = { attempt: FinishedAttempt; channel: HeldChannel };

type OutcomeRecorderDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<DeliveryQueue, "saveOutcomes">;
  onSaved: (outcome: Outcome) => void;
  onLost: (channel: HeldChannel) => void;
  /** A batch is over. */
  onBatch: () => void;
};

const batchMax = 256;
/** This many are saved at once; fewer wait a moment for more. */
const batchMin = 32;
// Deliveries without a saved outcome are sent again after a crash.
const lingerMs = 4;
/** Channels that another transaction has locked are retried after this time. */
const putOffMs = 20;
const againMs = 500;
/** An outcome wakes the recorder. */
const idleMs = 60_000;
/** Deliveries whose outcome can't be saved are sent again, but not at once. */
const unsavableMs = 60_000;

export class OutcomeRecorder {
  readonly #deps: OutcomeRecorderDeps;
  #waiting: Outcome[] = [];
  /** Outcomes of channels that another transaction has locked: they delay no others. */
  #putOff: Outcome[] = [];
  #savingCount = 0;
  readonly #loop: WorkerLoop;

  constructor(deps: OutcomeRecorderDeps) {
    this.#deps = deps;
    const name = "recorder of outcomes";
    const runRound = (): Promise<number> => this.#saveNext();
    this.#loop = startWorkerLoop({ name, log: deps.log, firstDelayMs: idleMs, runRound });
  }

  /** How many wait to be saved, without those of locked channels. */
  get unsavedCount(): number {
    return this.#waiting.length + this.#savingCount;
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    this.#loop.wake();
  }

  /** Saves the rest; deliveries whose outcome can't be saved are sent again by the next holder of the channel. */
  async close(): Promise<void> {
    await this.#loop.close();
    for (let tries = 0; tries < 3 && this.#hasWork; tries += 1) await this.#saveBatch();
  }

  get #hasWork(): boolean {
    return this.#waiting.length + this.#putOff.length > 0;
  }

  /** Returns how long the next batch may wait. */
  async #saveNext(): Promise<number> {
    if (!this.#hasWork) return idleMs;
    if (this.#waiting.length < batchMin) await systemDelay(lingerMs);
    if (!(await this.#saveBatch())) await systemDelay(againMs);
    this.#deps.onBatch();
    if (this.#waiting.length > 0) return 0;
    return this.#hasWork ? putOffMs : idleMs;
  }

  async #saveBatch(): Promise<boolean> {
    const batch = [...this.#putOff.splice(0), ...this.#waiting.splice(0, batchMax)];
    // More than one after a lease that ended: another process may hold those channels, and then its outcomes count.
    const workerIds = new Set(batch.map(({ channel }) => channel.workerId));
    let isTaken = true;
    for (const workerId of workerIds) {
      const own = batch.filter(({ channel }) => channel.workerId === workerId);
      isTaken = (await this.#save(own)) && isTaken;
    }
    return isTaken;
  }

  /** Returns false when the database takes nothing at the moment: the outcomes wait again. */
  async #save(outcomes: readonly Outcome[]): Promise<boolean> {
    this.#savingCount = outcomes.length;
    try {
      await this.#saveTogether(outcomes);
      return true;
    } catch (error) {
      const facts = { reason: String(error), count: outcomes.length };
      if (isPassing(error)) return this.#waitAgain(outcomes, error);
      this.#deps.log.error(facts, "outcomes were not saved, and are saved one by one");
      return await this.#saveOneByOne(outcomes);
    } finally {
      this.#savingCount = 0;
    }
  }

  async #saveOneByOne(outcomes: readonly Outcome[]): Promise<boolean> {
    for (const [index, outcome] of outcomes.entries()) {
      try {
        await this.#saveTogether([outcome]);
      } catch (error) {
        if (isPassing(error)) return this.#waitAgain(outcomes.slice(index), error);
        this.#giveUp(outcome, error);
      }
    }
    return true;
  }

  #waitAgain(outcomes: readonly Outcome[], error: unknown): false {
    const facts = { reason: String(error), count: outcomes.length };
    this.#deps.log.warn(facts, "outcomes can't be saved right now");
    this.#waiting.unshift(...outcomes);
    return false;
  }

  async #saveTogether(outcomes: readonly Outcome[]): Promise<void> {
    const { clock, onLost, onSaved, queue } = this.#deps;
    const channels = new Set(outcomes.map(({ channel }) => channel));
    const [{ workerId } = { workerId: 0 }] = channels;
    const changed = [...channels].filter((channel) => channel.isHealthChanged && !channel.isLost);
    const known = changed.map(({ health }) => health);
    const healths = changed.map(({ health, version }) => ({ ...health, version }));
    const attempts = outcomes.map(({ attempt }) => attempt);
    const saved = await queue.saveOutcomes({ workerId, attempts, healths, now: clock.now() });
    const savedIds = new Set(saved.savedIds);
    const busyIds = new Set(saved.busyIds);
    for (const [index, channel] of changed.entries()) {
      if (!busyIds.has(channel.id) && channel.health === known[index])
        channel.isHealthChanged = false;
    }
    for (const outcome of outcomes) {
      if (busyIds.has(outcome.channel.id)) this.#putOff.push(outcome);
      else if (!outcome.channel.isLost) onSaved(outcome);
    }
    for (const channel of channels) {
      if (!savedIds.has(channel.id) && !busyIds.has(channel.id)) onLost(channel);
    }
  }

  #giveUp({ attempt, channel }: Outcome, error: unknown): void {
    const { deliveryId } = attempt;
    this.#deps.log.error({ reason: String(error), deliveryId }, "an outcome was not saved");
    const later = setTimeout(() => {
      channel.giveBack(deliveryId);
      this.#deps.onBatch();
    }, unsavableMs);
    later.unref();
  }
}

// SQLSTATE of a statement that may well work the next time: serialization, deadlock, lock and statement
// timeouts, a server that is only read from for a moment.
const passingStates = new Set(["40001", "40P01", "55P03", "57014", "25006"]);

function isPassing(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "unavailable";
  return error instanceof Error && "code" in error && passingStates.has(String(error.code));
}
