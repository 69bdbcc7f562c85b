// Sends what was read ahead, channel by channel: each in its turn gets as many slots as it may have, it is found
// out right before signing whether it is still held and as it was read, and what came of it is handed on.
import type { DueDelivery } from "../domain/delivery.ts";
import { monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { type AttemptDeps, attemptDelivery, logAttempt } from "./attempt.ts";
import { ChannelChecks } from "./channel-checks.ts";
import type { ResolveEndpoint } from "./channel-types/resolve-endpoint.ts";
import { Freshness } from "./freshness.ts";
import type { InFlightLimiter, Slot } from "./in-flight-limiter.ts";
import type { LeasedChannel } from "./leased-channel.ts";
import type { OutcomeBatcher } from "./outcome-batcher.ts";
import { Pacer } from "./pacer.ts";
import type { Prefetcher } from "./prefetcher.ts";
import type { Queue } from "./queue.ts";
import { ResendLimit } from "./resend-limit.ts";
import type { DeliverySettings } from "./settings.ts";

type DispatcherDeps = AttemptDeps & {
  log: Log;
  queue: Pick<Queue, "checkLeases" | "transaction">;
  resolveEndpoint: ResolveEndpoint;
  settings: AttemptDeps["settings"] &
    Pick<DeliverySettings, "perChannelMax" | "probeAfter" | "resendMax" | "quickMs">;
  limiter: InFlightLimiter<LeasedChannel>;
  prefetcher: Prefetcher;
  batcher: OutcomeBatcher;
  /** The channel is no longer held by this process, or gone. */
  onLost: (channel: LeasedChannel) => void;
};

// Deliveries of one channel in its turn, before others that wait: together they need one check, one read and one
// row of the log.
const turnMax = 8;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #freshness = new Freshness();
  readonly #pacer = new Pacer<LeasedChannel>((channel) => this.offer(channel));
  readonly #checks: ChannelChecks<Slot>;
  readonly #resendLimit: ResendLimit;
  /** With something to send, the one that was served longest ago first. */
  readonly #ready = new Set<LeasedChannel>();
  /** Those whose turn is not over. */
  readonly #serving = new Set<LeasedChannel>();
  #sendingCount = 0;
  #onAllSent: () => void = () => {};
  #starting: NodeJS.Immediate | null = null;
  #isClosing = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#checks = new ChannelChecks({
      ...deps,
      freshness: this.#freshness,
      listNext: (countMax) => [...this.#ready].filter(({ isLost }) => !isLost).slice(0, countMax),
      onChecked: (channel, slots) => this.#useSlots(channel, slots),
    });
    this.#resendLimit = new ResendLimit({
      ...deps,
      unsavedCount: () => deps.batcher.pressingCount,
      onFreed: () => this.resume(),
    });
  }

  /** There may be something to send for the channel. */
  offer(channel: LeasedChannel): void {
    if (this.#openSlots(channel) > 0) this.#ready.add(channel);
    this.resume();
  }

  /** More may be sent than before. Answers come in bursts: one look is for all of one. */
  resume(): void {
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
    this.#resendLimit.close();
    await this.#checks.close();
    if (this.#sendingCount === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAllSent = resolve;
    });
  }

  /** How many more of the channel may be sent now. */
  #openSlots(channel: LeasedChannel): number {
    if (channel.isLost || channel.isSettling) return 0;
    const { perChannelMax, probeAfter } = this.#deps.settings;
    const isAlone = channel.health.timeoutCount >= probeAfter || channel.endpoint.pace !== null;
    const slots = isAlone ? 1 : perChannelMax;
    const { inFlightCount, reservedCount, waitingCount } = channel;
    return Math.min(slots - inFlightCount, waitingCount) - reservedCount;
  }

  /** How many more of all channels may be sent now. */
  get #freeSlots(): number {
    const mayBegin = this.#resendLimit.freeCount - this.#checks.reservedCount;
    return this.#isClosing ? 0 : Math.min(this.#deps.limiter.freeSlots, mayBegin);
  }

  #startReady(): void {
    for (const channel of this.#serving) {
      if (this.#freeSlots <= 0) return;
      this.#serving.delete(channel);
      this.#serve(channel, { isNewTurn: false });
    }
    while (this.#freeSlots > 0) {
      const [ready] = this.#ready;
      const channel = this.#deps.limiter.nextWaiting() ?? ready;
      if (!channel) break;
      this.#ready.delete(channel);
      this.#serve(channel, { isNewTurn: true });
    }
  }

  // All slots of a turn at once: one question and one row of the log serve several deliveries.
  #serve(channel: LeasedChannel, { isNewTurn }: { isNewTurn: boolean }): void {
    if (this.#openSlots(channel) > 0 && !this.#pacer.mayStart(channel)) return;
    const slots: Slot[] = [];
    for (let open = Math.min(this.#openSlots(channel), this.#freeSlots); open > 0; open -= 1) {
      const slot = this.#deps.limiter.take(channel);
      if (!slot) break;
      slots.push(slot);
    }
    if (slots.length === 0) return;
    // Reset here and not when a turn ends: answers to deliveries of the last turn must not give this channel
    // more slots before its next turn.
    if (isNewTurn) channel.turnCount = 0;
    const nowMs = monotonicMs();
    if (this.#freshness.isFresh(channel.checkedAtMs, nowMs)) {
      for (const slot of slots) this.#start(channel, slot);
      if (this.#openSlots(channel) > 0) this.#ready.add(channel);
      const isAging = this.#freshness.isAging(channel.checkedAtMs, nowMs);
      if (isAging && channel.waitingCount > 0) this.#checks.request(channel, []);
    } else this.#checks.request(channel, slots);
  }

  #useSlots(channel: LeasedChannel, slots: readonly Slot[]): void {
    const isFresh = this.#freshness.isFresh(channel.checkedAtMs, monotonicMs());
    for (const slot of slots) {
      const isOpen = isFresh && this.#freeSlots > 0 && this.#openSlots(channel) > 0;
      // Another channel with the same destination may have started since the slot was taken.
      const mayStart = isOpen && slot.host === channel.host && this.#pacer.mayStart(channel);
      if (mayStart) this.#start(channel, slot);
      else this.#deps.limiter.release(slot);
    }
    this.offer(channel);
  }

  #start(channel: LeasedChannel, slot: Slot): void {
    const { limiter, prefetcher } = this.#deps;
    const delivery = channel.takeNext();
    if (!delivery) {
      limiter.release(slot);
      return;
    }
    channel.inFlightCount += 1;
    channel.turnCount += 1;
    this.#pacer.start(channel);
    prefetcher.release([delivery]);
    this.#sendingCount += 1;
    void this.#sendOne(channel, delivery).then(() => {
      limiter.release(slot);
      prefetcher.want(channel);
      if (channel.turnCount < turnMax) this.#serving.add(channel);
      this.offer(channel);
      this.#sendingCount -= 1;
      if (this.#sendingCount === 0) this.#onAllSent();
    });
  }

  /** Never fails. */
  async #sendOne(channel: LeasedChannel, delivery: DueDelivery): Promise<void> {
    const end = this.#resendLimit.begin();
    try {
      await this.#send(channel, delivery);
    } catch (error) {
      this.#deps.log.error({ reason: String(error) }, "sending broke off");
      channel.forget(delivery.id);
      channel.readAgain();
    }
    end();
    channel.inFlightCount -= 1;
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
