// Sends what was read ahead: finds out right before signing whether the channel is still held and as it was
// read, starts as much as the limits allow, each channel in turn, and hands on what came of it.

import { setTimeout as delay } from "node:timers/promises";
import type { DueDelivery, FinishedAttempt, LeaseCheck } from "../domain/delivery.ts";
import { monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { type AttemptDeps, attemptDelivery } from "./attempt.ts";
import type { ResolveEndpoint } from "./channel-types/resolve-endpoint.ts";
import { Freshness } from "./freshness.ts";
import type { InFlightLimiter, Slot } from "./in-flight-limiter.ts";
import type { LeasedChannel } from "./leased-channel.ts";
import type { OutcomeBatcher } from "./outcome-batcher.ts";
import { Pacer } from "./pacer.ts";
import type { Prefetcher } from "./prefetcher.ts";
import type { Queue } from "./queue.ts";
import type { DeliverySettings } from "./settings.ts";

type DispatcherDeps = AttemptDeps & {
  log: Log;
  queue: Pick<Queue, "checkLeases" | "transaction">;
  resolveEndpoint: ResolveEndpoint;
  settings: AttemptDeps["settings"] & Pick<DeliverySettings, "perChannelMax" | "probeAfter">;
  limiter: InFlightLimiter<LeasedChannel>;
  prefetcher: Prefetcher;
  batcher: OutcomeBatcher;
  /** The channel is no longer held by this process, or gone. */
  onLost: (channel: LeasedChannel) => void;
};

const checkMax = 256;
// While something is in flight the next question waits a moment: it costs as much for one channel as for many.
const gatherMs = 1;
const againMs = 250;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #freshness = new Freshness();
  readonly #pacer = new Pacer<LeasedChannel>((channel) => this.offer(channel));
  /** With something to send and a slot of their own, the one that was served longest ago first. */
  readonly #ready = new Set<LeasedChannel>();
  readonly #unchecked = new Set<LeasedChannel>();
  readonly #tasks = new Set<Promise<void>>();
  #starting: NodeJS.Immediate | null = null;
  #checking: Promise<void> | null = null;
  #isClosing = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /** There may be something to send for the channel. */
  offer(channel: LeasedChannel): void {
    if (!this.#maySend(channel)) return;
    this.#ready.add(channel);
    // Answers come in bursts: one look for all slots that became free.
    this.#starting ??= setImmediate(() => {
      this.#starting = null;
      this.#startReady();
    });
  }

  /** From now on nothing more goes out. */
  stop(): void {
    this.#isClosing = true;
  }

  /** Stops, and waits for what is in flight. */
  async close(): Promise<void> {
    this.stop();
    this.#pacer.close();
    await this.#checking;
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  #maySend(channel: LeasedChannel): boolean {
    const { perChannelMax, probeAfter } = this.#deps.settings;
    const isAlone = channel.health.timeoutCount >= probeAfter || channel.endpoint.pace !== null;
    const slots = isAlone ? 1 : perChannelMax;
    const isOpen = !channel.isLost && !channel.isSettling && channel.waitingCount > 0;
    return isOpen && channel.inFlightCount < slots;
  }

  #startReady(): void {
    const { limiter } = this.#deps;
    const nowMs = monotonicMs();
    // A channel that is put back stands at the end, and is met again.
    for (const channel of this.#ready) {
      if (limiter.freeSlots <= 0 || this.#isClosing) break;
      this.#ready.delete(channel);
      if (!this.#maySend(channel) || !this.#pacer.mayStart(channel)) continue;
      if (!this.#freshness.isFresh(channel.checkedAtMs, nowMs)) {
        this.#unchecked.add(channel);
        continue;
      }
      const slot = limiter.take(channel);
      if (!slot) continue;
      this.#start(channel, slot);
      if (!this.#maySend(channel)) continue;
      this.#ready.add(channel);
      if (this.#freshness.isAging(channel.checkedAtMs, nowMs)) this.#unchecked.add(channel);
    }
    if (this.#unchecked.size === 0 || this.#isClosing) return;
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = null;
    });
  }

  // One question after the other: while one is answered, the next gathers.
  async #checkAll(): Promise<void> {
    while (this.#unchecked.size > 0 && !this.#isClosing) {
      const batch = [...this.#unchecked].slice(0, checkMax);
      for (const channel of batch) this.#unchecked.delete(channel);
      try {
        await this.#check(batch);
      } catch (error) {
        this.#deps.log.warn({ reason: String(error) }, "deliveries can't be sent right now");
        await delay(againMs);
      }
      for (const channel of batch) if (this.#maySend(channel)) this.#ready.add(channel);
      this.#startReady();
      if (this.#deps.limiter.count > 0) await delay(gatherMs);
    }
  }

  async #check(batch: readonly LeasedChannel[]): Promise<void> {
    const { clock, onLost, queue } = this.#deps;
    const byWorker = new Map<number, LeasedChannel[]>();
    for (const channel of batch) {
      byWorker.set(channel.workerId, [...(byWorker.get(channel.workerId) ?? []), channel]);
    }
    for (const [workerId, channels] of byWorker) {
      const now = clock.now();
      // Whatever the answer says was true when the question was asked; it may come much later.
      const askedAtMs = monotonicMs();
      const known = channels.map(({ id, version }) => ({ channelId: id, version }));
      const found = await queue.checkLeases({ workerId, now, channels: known });
      this.#freshness.noteRoundTrip(monotonicMs() - askedAtMs);
      const byId = new Map(found.map((check) => [check.channelId, check]));
      for (const channel of channels) {
        const check = byId.get(channel.id);
        if (check) this.#apply(channel, { check, askedAtMs });
        else onLost(channel);
      }
    }
  }

  #apply(
    channel: LeasedChannel,
    { check, askedAtMs }: { check: LeaseCheck; askedAtMs: number },
  ): void {
    channel.checkedAtMs = askedAtMs;
    if (check.url === null) return;
    const { prefetcher } = this.#deps;
    channel.version = check.version;
    channel.endpoint = this.#deps.resolveEndpoint(check);
    // What was read under another version may be cancelled by now.
    prefetcher.release(channel.dropWaiting());
    prefetcher.want(channel);
  }

  #start(channel: LeasedChannel, slot: Slot): void {
    const delivery = channel.takeNext();
    if (!delivery) return;
    const { limiter, prefetcher } = this.#deps;
    channel.inFlightCount += 1;
    this.#pacer.start(channel);
    prefetcher.release([delivery]);
    const task = this.#send(channel, delivery)
      .catch((error: unknown) => {
        this.#deps.log.error({ reason: String(error) }, "sending broke off");
        channel.forget(delivery.id);
        channel.readAgain();
      })
      .then(() => {
        channel.inFlightCount -= 1;
        this.#tasks.delete(task);
        for (const owner of limiter.release(slot)) this.offer(owner);
        prefetcher.want(channel);
        this.offer(channel);
        const [next] = this.#ready;
        if (next) this.offer(next);
      });
    this.#tasks.add(task);
  }

  async #send(channel: LeasedChannel, delivery: DueDelivery): Promise<void> {
    const { batcher, log, prefetcher } = this.#deps;
    const { endpoint, version } = channel;
    const isFresh = this.#freshness.forWire(channel.checkedAtMs, delivery.id);
    const attempt = await attemptDelivery(this.#deps, { delivery, endpoint, isFresh });
    if (attempt === null) return this.#sendAgain(channel, { delivery, version });
    this.#freshness.forget(delivery.id);
    logAttempt(log, { delivery, attempt });
    channel.noteHealth(attempt);
    if (attempt.outcome.kind !== "delivered") {
      // A channel that fails is read anew, as little as it may send.
      prefetcher.release(channel.dropWaiting());
      if (attempt.holdOffMs) this.#pacer.holdOff(channel, attempt.holdOffMs);
      const isGone = attempt.status === 410 && endpoint.isDroppedBy410;
      if (isGone && (await this.#dropChannel(channel, endpoint.url))) return;
    }
    batcher.add({ attempt, channel });
  }

  /** Nothing was sent: its connection took so long that what it was signed with is old. */
  #sendAgain(
    channel: LeasedChannel,
    { delivery, version }: { delivery: DueDelivery; version: number },
  ): void {
    if (channel.version === version && !channel.isLost) {
      channel.returnWaiting(delivery);
      this.#deps.prefetcher.hold(delivery);
    } else {
      channel.forget(delivery.id);
      channel.readAgain();
    }
  }

  /** Only the channel's current URL can say that it is gone for good. */
  async #dropChannel(channel: LeasedChannel, url: string): Promise<boolean> {
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

function logAttempt(
  log: Log,
  { delivery, attempt }: { delivery: DueDelivery; attempt: FinishedAttempt },
): void {
  const { deliveryId, channelId, number, status, reason, durationMs, outcome } = attempt;
  const { event } = delivery;
  const facts = { deliveryId, channelId, event, number, status, reason, durationMs, outcome };
  if (outcome.kind === "delivered") log.debug(facts, "delivered");
  else log.info(facts, "an attempt failed");
}
