// Saves outcomes of attempts in batches. While the database is away they wait, as long as their channels are held; a
// statement that failed for the moment is tried again, and a batch that can't be saved at all is saved one by one.

import type { DeliveryQueue } from "../../database/database.ts";
import type { FinishedAttempt } from "../../domain/delivery.ts";
import { AppError } from "../../domain/error.ts";
import { type Clock, monotonicMs } from "../../lib/clock.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { Log } from "../../lib/log.ts";
import type { HeldChannel } from "./held-channel.ts";
import type { DeliverySettings } from "./settings.ts";

export type Outcome = { attempt: FinishedAttempt; channel: HeldChannel };

// Not a set of those that are not saved: it would keep all that were in it from being collected quickly.
type Unsaved = Outcome & { isOver: boolean };

type OutcomeRecorderDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<DeliveryQueue, "saveOutcomes" | "saveHealths">;
  settings: Pick<DeliverySettings, "slowSaveMs">;
  onSaved: () => void;
  onLost: (channel: HeldChannel) => void;
  /** A batch is over, or takes long: fewer outcomes press. */
  onBatch: () => void;
  /** The delivery is not claimed any more. */
  onEnded: (deliveryId: string) => void;
};

const batchMax = 256;
/** So many are worth a statement of their own at once; fewer wait a moment for more. */
const batchMin = 32;
// Deliveries without a saved outcome are sent again after a crash.
const lingerMs = 4;
/** Channels that another transaction has locked are retried after this time. */
const putOffMs = 20;
const againMs = 500;
/** Deliveries whose outcome can't be saved are sent again, but not at once. */
const unsavableMs = 60_000;

export class OutcomeRecorder {
  readonly #deps: OutcomeRecorderDeps;
  readonly #healthToNote = new Set<HeldChannel>();
  #waiting: Unsaved[] = [];
  /** Outcomes of locked channels, which wait for the next batch. */
  readonly #putOff = new Set<Unsaved>();
  #putOffUntilMs = 0;
  /** Whether the batch that is being saved takes long. */
  #isSlow = false;
  /** Whether the database took the last batch. */
  #isWorking = true;
  #unsavedCount = 0;
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> | null = null;

  constructor(deps: OutcomeRecorderDeps) {
    this.#deps = deps;
  }

  /** How many are not saved yet. */
  get unsavedCount(): number {
    return this.#unsavedCount;
  }

  /**
   * The same without those that must not delay others: those of channels that another transaction has locked, and all
   * of them while a batch takes long, since the rate would be a few for each commit of a slow disk.
   */
  get pressingCount(): number {
    return this.#isSlow ? 0 : this.#unsavedCount - this.#putOff.size;
  }

  add({ attempt, channel }: Outcome): void {
    this.#waiting.push({ attempt, channel, isOver: false });
    this.#unsavedCount += 1;
    if (channel.isHealthChanged) this.#healthToNote.add(channel);
    this.#goOn();
  }

  /** The channel's health has changed without an outcome. */
  addHealth(channel: HeldChannel): void {
    this.#healthToNote.add(channel);
    this.#goOn();
  }

  /** Saves what is left; deliveries whose outcome can't be saved are sent again by the next holder of the channel. */
  async close(): Promise<void> {
    while (this.#saving) await this.#saving;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (let tries = 0; tries < 3 && this.#unsavedCount > 0; tries += 1) {
      this.#putOffUntilMs = 0;
      await this.#saveBatch();
    }
  }

  #goOn(): void {
    if (this.#saving) return;
    if (this.#waiting.length >= batchMin && this.#isWorking) this.#saveNow();
    else if (this.#waiting.length > 0) this.#saveIn(this.#isWorking ? lingerMs : againMs);
    else if (this.#putOff.size + this.#healthToNote.size > 0) this.#saveIn(putOffMs);
  }

  #saveIn(delayMs: number): void {
    this.#timer ??= setTimeout(() => this.#saveNow(), delayMs);
  }

  #saveNow(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#saving) return;
    const slow = setTimeout(() => {
      this.#isSlow = true;
      this.#deps.onBatch();
    }, this.#deps.settings.slowSaveMs);
    this.#saving = this.#saveBatch().then(() => {
      clearTimeout(slow);
      this.#isSlow = false;
      this.#saving = null;
      this.#goOn();
      this.#deps.onBatch();
    });
  }

  async #saveBatch(): Promise<void> {
    const isPutOffOver = monotonicMs() >= this.#putOffUntilMs;
    const putOff = isPutOffOver ? [...this.#putOff].slice(0, batchMax) : [];
    for (const outcome of putOff) this.#putOff.delete(outcome);
    const batch = [...putOff, ...this.#waiting.splice(0, batchMax - putOff.length)];
    this.#isWorking = true;
    try {
      if (isPutOffOver) await this.#saveHealths();
      await this.#save(batch);
    } catch (error) {
      const facts = { reason: String(error), count: batch.length };
      if (isPassing(error)) {
        this.#deps.log.warn(facts, "outcomes can't be saved right now");
        this.#saveLater(batch);
      } else {
        this.#deps.log.error(facts, "outcomes were not saved, and are saved one by one");
        await this.#saveOneByOne(batch);
      }
    }
    if (isPutOffOver && this.#putOff.size + this.#healthToNote.size > 0)
      this.#putOffUntilMs = monotonicMs() + putOffMs;
  }

  #saveLater(batch: readonly Unsaved[]): void {
    this.#isWorking = false;
    const left = batch.filter((one) => !one.isOver && !this.#putOff.has(one));
    this.#waiting.unshift(...left);
  }

  async #save(batch: readonly Unsaved[]): Promise<void> {
    for (const [workerId, outcomes] of groupBy(batch, ({ channel }) => channel.workerId)) {
      const attempts = outcomes.map(({ attempt }) => attempt);
      const now = this.#deps.clock.now();
      const saved = await this.#deps.queue.saveOutcomes({ workerId, attempts, now });
      const savedIds = new Set(saved.savedIds);
      const busyIds = new Set(saved.busyIds);
      const lost = new Set<HeldChannel>();
      for (const outcome of outcomes) {
        const { attempt, channel } = outcome;
        if (busyIds.has(channel.id)) {
          this.#putOff.add(outcome);
          continue;
        }
        this.#end(outcome);
        this.#deps.onEnded(attempt.deliveryId);
        channel.noteSaved(attempt);
        if (savedIds.has(channel.id)) this.#deps.onSaved();
        else lost.add(channel);
      }
      for (const channel of lost) this.#deps.onLost(channel);
    }
  }

  /** Nobody waits for it any more. */
  #end(outcome: Unsaved): void {
    if (outcome.isOver) return;
    outcome.isOver = true;
    this.#unsavedCount -= 1;
  }

  async #saveOneByOne(batch: readonly Unsaved[]): Promise<void> {
    for (const [index, outcome] of batch.entries()) {
      try {
        await this.#save([outcome]);
      } catch (error) {
        if (isPassing(error)) return this.#saveLater(batch.slice(index));
        this.#giveUp(outcome, error);
      }
    }
  }

  #giveUp(outcome: Unsaved, error: unknown): void {
    const { attempt, channel } = outcome;
    const { deliveryId } = attempt;
    this.#end(outcome);
    this.#deps.log.error({ reason: String(error), deliveryId }, "an outcome was not saved");
    const later = setTimeout(() => {
      channel.giveBack(deliveryId);
      this.#deps.onSaved();
    }, unsavableMs);
    later.unref();
  }

  async #saveHealths(): Promise<void> {
    for (const channel of this.#healthToNote) {
      if (!channel.isLost) continue;
      channel.isHealthChanged = false;
      this.#healthToNote.delete(channel);
    }
    const changed = [...this.#healthToNote].map((channel) => ({ channel, health: channel.health }));
    for (const [workerId, part] of groupBy(changed, ({ channel }) => channel.workerId)) {
      const healths = part.map(({ health }) => health);
      const savedIds = await this.#deps.queue.saveHealths({ workerId, healths });
      for (const { channel, health } of part) {
        if (!savedIds.includes(channel.id) || channel.health !== health) continue;
        channel.isHealthChanged = false;
        this.#healthToNote.delete(channel);
      }
    }
  }
}

// SQLSTATE of a statement that may well work the next time: serialization, deadlock, lock and statement
// timeouts, a server that is only read from for a moment.
const passingStates = new Set(["40001", "40P01", "55P03", "57014", "25006"]);

function isPassing(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "unavailable";
  return error instanceof Error && "code" in error && passingStates.has(String(error.code));
}
