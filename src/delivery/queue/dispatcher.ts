// Dispatch: each claimed batch gets slots, and each slot sends one delivery of the batch after another, while the claim is
// recent. Outcomes go to the recorder, unsent deliveries back to the queue.

import type { DeliveryQueue } from "../../database/database.ts";
import type {
  DeliveryOutcome,
  DueDelivery,
  FinishedAttempt,
} from "../../domain/channel/delivery.ts";
import { type Clock, type Moment, monotonicMs } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { parseRetryAfter } from "../../lib/retry-after.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type Attempted, retry, type Sending, type Sent, unsent } from "../send/endpoint.ts";
import type { HeldChannel } from "./held-channel.ts";
import type { OutcomeRecorder } from "./outcome-recorder.ts";
import type { Pacer } from "./pacer.ts";
import { retryAfterMaxMs, scheduleRetry } from "./retry-schedule.ts";
import type { DeliverySettings } from "./settings.ts";
import type { Slot, Slots } from "./slots.ts";

/** The deliveries of one channel that a claim found, to be sent while the claim is recent. */
export type ClaimedBatch = {
  channel: HeldChannel;
  claimedAt: Moment;
  waiting: DueDelivery[];
  slotCountMax: number;
};

type DispatcherDeps = {
  clock: Clock;
  log: Log;
  random: () => number;
  settings: Pick<DeliverySettings, "cycleSeconds" | "giveUpDays">;
  queue: Pick<DeliveryQueue, "transaction">;
  slots: Slots;
  pacer: Pacer;
  recorder: OutcomeRecorder;
  /** A slot is free. */
  onFree: () => void;
  /** The channel is deleted. */
  onLost: (channel: HeldChannel) => void;
};

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #serving = new Set<Promise<void>>();
  #isClosing = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  start(batch: ClaimedBatch): void {
    const { channel, claimedAt, waiting } = batch;
    const isRecent = channel.isRecent(claimedAt);
    if (!isRecent) channel.noteStale();
    const slotCount = isRecent ? Math.min(batch.slotCountMax, waiting.length) : 0;
    const slots = Array.from({ length: slotCount }, () => this.#deps.slots.take(channel));
    for (const slot of slots) {
      if (!slot) continue;
      channel.slotCount += 1;
      const served = this.#serve(batch, slot).then(() => {
        this.#serving.delete(served);
        this.#deps.onFree();
      });
      this.#serving.add(served);
    }
    if (slots.every((slot) => slot === null)) this.#giveBackAll(batch);
  }

  /** Sends nothing more. */
  stop(): void {
    this.#isClosing = true;
  }

  /** Stops, and waits for what is in flight. */
  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.#serving);
  }

  /** Never fails. */
  async #serve(batch: ClaimedBatch, slot: Slot): Promise<void> {
    const { channel, claimedAt, waiting } = batch;
    try {
      let goesOn = true;
      while (goesOn) {
        // The channel's secret, URL and lease are those of the claim.
        const mayUse = !channel.isLost && channel.isRecent(claimedAt) && !this.#isClosing;
        const delivery = mayUse ? waiting.shift() : undefined;
        goesOn = delivery !== undefined && (await this.#send(batch, delivery, slot));
      }
    } catch (error) {
      this.#deps.log.error({ reason: String(error), channelId: channel.id }, "a batch broke off");
    }
    this.#giveBackAll(batch);
    this.#deps.slots.release(slot);
    channel.slotCount -= 1;
  }

  #giveBackAll({ channel, waiting }: ClaimedBatch): void {
    for (const { id } of waiting.splice(0)) channel.giveBack(id);
  }

  /** Returns whether the next one of the batch may follow: not after a failure. */
  async #send(
    { channel, claimedAt }: ClaimedBatch,
    delivery: DueDelivery,
    slot: Slot,
  ): Promise<boolean> {
    const { log, pacer, recorder, slots } = this.#deps;
    const { endpoint } = channel;
    pacer.holdOff(endpoint.pace);
    const end = slots.begin(slot);
    const isFresh = (): boolean => !channel.isLost && channel.isRecent(claimedAt);
    const attempt = await this.#attempt(channel, delivery, isFresh);
    end();
    if (attempt === null) {
      // Not a byte was sent: the connection took so long that the signature is too old.
      channel.giveBack(delivery.id);
      return false;
    }
    const isDelivered = attempt.outcome.kind === "delivered";
    logAttempt(log, attempt);
    // A failure of an earlier destination says nothing about the one of now.
    const counts = isDelivered || channel.endpoint === endpoint;
    if (attempt.isUnread) channel.noteUnread(delivery.id);
    else if (counts) channel.noteAttempt(attempt);
    if (attempt.holdOffMs) pacer.holdOff(endpoint.pace, attempt.holdOffMs);
    const isGone = attempt.status === 410 && endpoint.isDroppedBy410;
    if (isGone && (await this.#dropChannel(channel, endpoint.url))) return false;
    recorder.add({ attempt, channel });
    return isDelivered;
  }

  /** Null when nothing was sent because the endpoint's facts had grown old by then. */
  async #attempt(
    channel: HeldChannel,
    delivery: DueDelivery,
    isFresh: () => boolean,
  ): Promise<(FinishedAttempt & { isUnread: boolean }) | null> {
    const { clock, log } = this.#deps;
    const startedAt = clock.now();
    const startedMs = monotonicMs();
    const isRepeat = channel.takeRepeat(delivery.id);
    const sending = { delivery, now: startedAt, isFresh, isRepeat };
    const result = await channel.endpoint
      .send(sending)
      .catch((error) => explainError(log, sending, error));
    const isStale = result.kind === "stale";
    if (isStale && channel.noteStale()) {
      if (isRepeat) channel.noteUnread(delivery.id);
      return null;
    }
    // Without an attempt the endpoint would be connected to again and again, and its log would not say why.
    const sent = isStale ? unsent(retry(tooSlow)) : result;
    const { isUnread = false } = sent;
    return {
      deliveryId: delivery.id,
      channelId: delivery.channelId,
      event: delivery.event,
      number: delivery.attemptCount + 1,
      startedAt,
      // How long a real socket took: a clock that tests move says nothing about it.
      durationMs: Math.round(monotonicMs() - startedMs),
      status: sent.status,
      reason: sent.reason,
      answer: sent.answer,
      isTimeout: sent.isTimeout,
      isUnread,
      outcome: this.#decideOutcome(delivery, sent),
      holdOffMs: readHoldOff(sent, startedAt),
    };
  }

  #decideOutcome(
    { queuedAt, retryCount }: DueDelivery,
    { outcome: sent, isUnread = false }: Attempted,
  ): DeliveryOutcome {
    if (sent.kind === "delivered") return { kind: "delivered" };
    if (sent.kind === "unreachable") return { kind: "expired" };
    const { clock, random, settings } = this.#deps;
    const now = clock.now();
    const { retryAfterMs, isThrottled } = sent;
    const mayExpire = clock.isSettled?.() ?? true;
    const outcome = scheduleRetry(
      { now, queuedAt, retryCount, retryAfterMs, mayExpire, random: random() },
      settings,
    );
    if (outcome.kind === "retry" && isUnread) return { kind: "retry", dueAt: now };
    // Throttling is not a failure: send it as soon as the service accepts it.
    if (outcome.kind !== "retry" || !isThrottled || retryAfterMs === null) return outcome;
    const waitMs = Math.min(retryAfterMs, retryAfterMaxMs);
    return { kind: "retry", dueAt: new Date(now.getTime() + waitMs) };
  }

  /** Only the channel's current URL can say that it is gone for good. */
  async #dropChannel(channel: HeldChannel, url: string): Promise<boolean> {
    const { clock, log, onLost, queue } = this.#deps;
    const now = clock.now();
    const gone = { channelId: channel.id, url, auditId: uuidV7(now), now };
    try {
      const isDropped = await queue.transaction((tx) => tx.deleteGoneChannel(gone));
      if (!isDropped) return false;
      log.info({ channelId: channel.id }, "a channel was dropped: 410 Gone");
      onLost(channel);
      return true;
    } catch (error) {
      // The delivery is retried, and the endpoint will say so again.
      log.warn({ reason: String(error), channelId: channel.id }, "a channel was not dropped");
      return false;
    }
  }
}

/** Also a success can be the last one that the service takes for a while. */
function readHoldOff({ outcome, retryAfter }: Attempted, now: Date): number | null {
  if (outcome.kind === "delivered") return parseRetryAfter(retryAfter, now);
  return outcome.kind === "retry" && outcome.isThrottled ? outcome.retryAfterMs : null;
}

// People see the reason: the error itself is in the log alone.
const cantBeSent = "Starpost could not send this delivery; its log has the error";

const tooSlow = "nothing was sent, because the connection took too long to be made";

/** Any error is a failed attempt, which is retried later and expires like any other. */
function explainError(log: Log, { delivery }: Sending, error: unknown): Sent {
  const { id: deliveryId, channelId } = delivery;
  log.error({ reason: String(error), deliveryId, channelId }, "a delivery could not be sent");
  return unsent(retry(cantBeSent));
}

function logAttempt(log: Log, attempt: FinishedAttempt): void {
  const { deliveryId, channelId, event, number, status, reason, durationMs, outcome } = attempt;
  const facts = { deliveryId, channelId, event, number, status, reason, durationMs, outcome };
  if (outcome.kind === "delivered") log.debug(facts, "delivered");
  else log.info(facts, "an attempt failed");
}
