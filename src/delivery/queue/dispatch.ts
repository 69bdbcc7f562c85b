// Dispatch: each claimed turn gets slots, and each slot sends one delivery of the turn after another, while the claim is
// recent. Outcomes go to the recorder, unsent deliveries back to the queue.

import type { DeliveryQueue } from "../../database/database.ts";
import type { DueDelivery } from "../../domain/delivery.ts";
import { monotonicMs } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type AttemptDeps, attemptDelivery, logAttempt } from "./attempt.ts";
import type { Claimer, Turn } from "./claim.ts";
import type { HeldChannel } from "./held-channel.ts";
import type { Pacer } from "./pacer.ts";
import type { OutcomeRecorder } from "./record-outcomes.ts";
import type { Slot, Slots } from "./slots.ts";

type DispatcherDeps = AttemptDeps & {
  log: Log;
  queue: Pick<DeliveryQueue, "transaction">;
  slots: Slots;
  pacer: Pacer;
  recorder: OutcomeRecorder;
  claimer: () => Claimer;
  /** A slot is free. */
  onFree: () => void;
};

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  /** Slots that wait until fewer outcomes are unsaved. */
  readonly #waitingForCapacity = new Set<() => void>();
  #heldBytes = 0;
  #servingCount = 0;
  #onAllServed: () => void = () => {};
  #isClosing = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /** How many more attempts may begin before outcomes are saved. */
  get capacity(): number {
    if (this.#isClosing) return 0;
    return this.#deps.slots.capacityBeside(this.#deps.recorder.pressingCount);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  start(turn: Turn): void {
    const { channel, waiting } = turn;
    for (const { body } of waiting) this.#heldBytes += body.length;
    for (let count = Math.min(turn.slotCountMax, waiting.length); count > 0; count -= 1) {
      const slot = this.#deps.slots.take(channel);
      if (!slot) break;
      channel.slotCount += 1;
      this.#servingCount += 1;
      void this.#serve(turn, slot);
    }
    if (channel.slotCount === 0) this.#giveBackAll(turn);
  }

  /** Fewer outcomes are unsaved. */
  resume(): void {
    const waiting = [...this.#waitingForCapacity];
    this.#waitingForCapacity.clear();
    for (const goOn of waiting) goOn();
  }

  /** Sends nothing more. */
  stop(): void {
    this.#isClosing = true;
    this.resume();
  }

  /** Stops, and waits for what is in flight. */
  async close(): Promise<void> {
    this.stop();
    if (this.#servingCount === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAllServed = resolve;
    });
  }

  /** Never fails. */
  async #serve(turn: Turn, slot: Slot): Promise<void> {
    const { log, onFree, slots } = this.#deps;
    const { channel, waiting } = turn;
    try {
      while (waiting.length > 0) {
        const startedMs = monotonicMs();
        while (this.capacity <= 0 && !this.#isClosing) await this.#awaitCapacity();
        // The channel's secret, URL and lease are those of the claim.
        const mayUse = channel.isOpen && this.#deps.claimer().isRecent(turn);
        const delivery = mayUse && !this.#isClosing ? waiting.shift() : undefined;
        if (!delivery) break;
        await this.#send(turn, delivery, slot);
        channel.noteServed(monotonicMs() - startedMs);
      }
    } catch (error) {
      log.error({ reason: String(error), channelId: channel.id }, "a turn broke off");
    }
    this.#giveBackAll(turn);
    slots.release(slot);
    channel.slotCount -= 1;
    this.#servingCount -= 1;
    if (this.#servingCount === 0) this.#onAllServed();
    onFree();
  }

  #awaitCapacity(): Promise<void> {
    return new Promise((resolve) => this.#waitingForCapacity.add(resolve));
  }

  #giveBackAll({ channel, waiting }: Turn): void {
    for (const delivery of waiting.splice(0)) this.#giveBack(channel, delivery);
  }

  #giveBack(channel: HeldChannel, { id, body }: DueDelivery): void {
    this.#heldBytes -= body.length;
    channel.giveBack(id);
  }

  async #send(turn: Turn, delivery: DueDelivery, slot: Slot): Promise<void> {
    const { claimer, log, pacer, recorder, slots } = this.#deps;
    const { channel } = turn;
    const { endpoint } = channel;
    pacer.start(endpoint.pace);
    const end = slots.begin(slot);
    const isFresh = (): boolean => !channel.isLost && claimer().isRecentOnWire(turn);
    const attempt = await attemptDelivery(this.#deps, { delivery, endpoint, isFresh });
    end();
    if (attempt === null) {
      // Its connection took so long that what it was signed with is old.
      channel.staleCount += 1;
      return this.#giveBack(channel, delivery);
    }
    this.#heldBytes -= delivery.body.length;
    logAttempt(log, { delivery, attempt });
    channel.noteAttempt(attempt);
    if (attempt.holdOffMs) pacer.holdOff(endpoint.pace, attempt.holdOffMs);
    const isGone = attempt.status === 410 && endpoint.isDroppedBy410;
    if (isGone && (await this.#dropChannel(channel, endpoint.url))) return;
    recorder.add({ attempt, channel });
  }

  /** Only the channel's current URL can say that it is gone for good. */
  async #dropChannel(channel: HeldChannel, url: string): Promise<boolean> {
    const { claimer, clock, log, queue } = this.#deps;
    const now = clock.now();
    const gone = { channelId: channel.id, url, auditId: uuidV7(now), now };
    try {
      const isDropped = await queue.transaction((tx) => tx.deleteGoneChannel(gone));
      if (!isDropped) return false;
      log.info({ channelId: channel.id }, "a channel was dropped: 410 Gone");
      claimer().lose(channel);
      return true;
    } catch (error) {
      // The delivery is retried, and the endpoint will say so again.
      log.warn({ reason: String(error), channelId: channel.id }, "a channel was not dropped");
      return false;
    }
  }
}
