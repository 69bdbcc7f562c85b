// Saves what attempts came to in batches: one statement for many. While the database is away they wait, as long
// as their channels are held; what only failed this time is tried again, and a batch that can't be saved at all
// is saved one by one.

import type { FinishedAttempt } from "../domain/delivery.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { LeasedChannel } from "./leased-channel.ts";
import type { Queue } from "./queue.ts";

export type Outcome = { attempt: FinishedAttempt; channel: LeasedChannel };

type OutcomeBatcherDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<Queue, "saveOutcomes" | "saveHealths">;
  onSaved: (channel: LeasedChannel) => void;
  onLost: (channel: LeasedChannel) => void;
};

const batchMax = 256;
// What is not saved yet is sent again after a crash.
const lingerMs = 4;
const busyMs = 20;
const againMs = 500;
/** What can't be saved is sent again, but not at once. */
const unsavableMs = 60_000;

export class OutcomeBatcher {
  readonly #deps: OutcomeBatcherDeps;
  readonly #healthToNote = new Set<LeasedChannel>();
  #waiting: Outcome[] = [];
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> | null = null;

  constructor(deps: OutcomeBatcherDeps) {
    this.#deps = deps;
  }

  /** How many are not saved yet. */
  get count(): number {
    return this.#waiting.length;
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    if (outcome.channel.isHealthChanged) this.#healthToNote.add(outcome.channel);
    if (this.#waiting.length >= batchMax) this.#saveNow();
    else this.#saveIn(lingerMs);
  }

  /** Saves what is left; what can't be saved now is sent again by whoever holds the channel next. */
  async close(): Promise<void> {
    while (this.#saving) await this.#saving;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (let tries = 0; tries < 3 && this.#waiting.length > 0; tries += 1) await this.#saveBatch();
  }

  #saveIn(delayMs: number): void {
    if (this.#saving) return;
    this.#timer ??= setTimeout(() => this.#saveNow(), delayMs);
  }

  #saveNow(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#saving ??= this.#saveBatch().then((delayMs) => {
      this.#saving = null;
      if (this.#waiting.length >= batchMax && delayMs === lingerMs) this.#saveNow();
      else if (this.#healthToNote.size > 0) this.#saveIn(Math.max(delayMs, busyMs));
      else if (this.#waiting.length > 0) this.#saveIn(delayMs);
    });
  }

  /** Returns how long to wait for the next batch. */
  async #saveBatch(): Promise<number> {
    const batch = this.#waiting.splice(0, batchMax);
    try {
      await this.#saveHealths();
      return (await this.#save(batch)) ? lingerMs : busyMs;
    } catch (error) {
      const facts = { reason: String(error), count: batch.length };
      if (isPassing(error)) {
        this.#deps.log.warn(facts, "outcomes can't be saved right now");
        this.#waiting.unshift(...batch);
        return againMs;
      }
      this.#deps.log.error(facts, "outcomes were not saved, and are saved one by one");
      return this.#saveOneByOne(batch);
    }
  }

  /** False when some channels are locked and theirs wait. */
  async #save(batch: readonly Outcome[]): Promise<boolean> {
    let isAll = true;
    for (const [workerId, outcomes] of groupByWorker(batch)) {
      const attempts = outcomes.map(({ attempt }) => attempt);
      const now = this.#deps.clock.now();
      const saved = await this.#deps.queue.saveOutcomes({ workerId, attempts, now });
      const savedIds = new Set(saved.savedIds);
      const busyIds = new Set(saved.busyIds);
      const lost = new Set<LeasedChannel>();
      for (const outcome of outcomes) {
        const { attempt, channel } = outcome;
        if (busyIds.has(channel.id)) {
          this.#waiting.push(outcome);
          isAll = false;
          continue;
        }
        if (savedIds.has(channel.id)) {
          channel.noteSaved(attempt);
          this.#deps.onSaved(channel);
        } else {
          channel.forget(attempt.deliveryId);
          lost.add(channel);
        }
      }
      for (const channel of lost) this.#deps.onLost(channel);
    }
    return isAll;
  }

  async #saveOneByOne(batch: readonly Outcome[]): Promise<number> {
    for (const [index, outcome] of batch.entries()) {
      try {
        await this.#save([outcome]);
      } catch (error) {
        if (isPassing(error)) {
          this.#waiting.unshift(...batch.slice(index));
          return againMs;
        }
        this.#giveUp(outcome, error);
      }
    }
    return lingerMs;
  }

  #giveUp({ attempt, channel }: Outcome, error: unknown): void {
    const { deliveryId } = attempt;
    this.#deps.log.error({ reason: String(error), deliveryId }, "an outcome was not saved");
    const later = setTimeout(() => {
      channel.forget(deliveryId);
      channel.readAgain();
      this.#deps.onSaved(channel);
    }, unsavableMs);
    later.unref();
  }

  async #saveHealths(): Promise<void> {
    if (this.#healthToNote.size === 0) return;
    const changed = [...this.#healthToNote].map((channel) => ({ channel, health: channel.health }));
    const noted = await this.#deps.queue.saveHealths(changed.map(({ health }) => health));
    for (const { channel, health } of changed) {
      if (!noted.includes(channel.id) && !channel.isLost) continue;
      if (channel.health === health) {
        channel.isHealthChanged = false;
        this.#healthToNote.delete(channel);
      }
    }
  }
}

function groupByWorker(batch: readonly Outcome[]): Map<number, Outcome[]> {
  const groups = new Map<number, Outcome[]>();
  for (const outcome of batch) {
    const group = groups.get(outcome.channel.workerId);
    if (group) group.push(outcome);
    else groups.set(outcome.channel.workerId, [outcome]);
  }
  return groups;
}

// SQLSTATE of a statement that may well work the next time: serialization, deadlock, lock and statement
// timeouts, a server that is only read from for a moment.
const passingStates = new Set(["40001", "40P01", "55P03", "57014", "25006"]);

function isPassing(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "unavailable";
  return error instanceof Error && "code" in error && passingStates.has(String(error.code));
}
