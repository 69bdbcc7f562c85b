// Reads deliveries ahead of the channels that this process holds, so that a free slot is filled at once: many
// channels with one question, each with its share of what memory allows.
import { setTimeout as delay } from "node:timers/promises";
import type { DueDelivery, DueLook } from "../domain/delivery.ts";
import { type Clock, monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { LeasedChannel } from "./leased-channel.ts";
import type { Queue } from "./queue.ts";
import type { DeliverySettings } from "./settings.ts";
import { createWakeSignal } from "./wake-signal.ts";

type PrefetcherDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<Queue, "readDueDeliveries" | "closeDrafts" | "transaction">;
  settings: Pick<
    DeliverySettings,
    "perChannelMax" | "prefetchPerChannel" | "prefetchMax" | "prefetchBytesMax"
  >;
  /** Something can be sent for the channel, or all of it was read. */
  onRead: (channel: LeasedChannel) => void;
  /** The channel is gone. */
  onLost: (channel: LeasedChannel) => void;
};

const channelsPerLook = 128;
// At least so many deliveries of a channel in one query, rather than one of each of many: a channel costs the same for
// one delivery as for several.
const perLookMin = 16;
// A channel with so many read ahead can wait a moment, until others want something as well.
const enough = 8;
const gatherMs = 5;
// With little memory left, queries start so far apart: what became free meanwhile is one query.
const scarceMs = 10;
const againMs = 1_000;
const pacedTarget = 4;

export class Prefetcher {
  readonly #deps: PrefetcherDeps;
  readonly #wanting = new Set<LeasedChannel>();
  readonly #urgent = createWakeSignal();
  #count = 0;
  #byteCount = 0;
  #bytesEach = 1_024;
  #looking: Promise<void> | null = null;
  #isClosing = false;

  constructor(deps: PrefetcherDeps) {
    this.#deps = deps;
  }

  /** How many more deliveries may be read ahead. */
  get capacity(): number {
    const { prefetchMax, prefetchBytesMax } = this.#deps.settings;
    const byBytes = Math.floor((prefetchBytesMax - this.#byteCount) / this.#bytesEach);
    return Math.max(0, Math.min(prefetchMax - this.#count, byBytes));
  }

  /** Reads more for the channel if there may be more and little of it waits. */
  want(channel: LeasedChannel, { isUrgent = channel.waitingCount < enough } = {}): void {
    if (!channel.hasMore || channel.isLooking || this.#targetOf(channel) <= 0) return;
    this.#wanting.add(channel);
    if (isUrgent) this.#urgent.set();
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = null;
    });
  }

  /** It waits again. */
  hold({ body }: DueDelivery): void {
    this.#byteCount += body.length;
    this.#count += 1;
  }

  /** These are no longer read ahead: they went out or were dropped. */
  release(deliveries: readonly DueDelivery[]): void {
    for (const { body } of deliveries) this.#byteCount -= body.length;
    this.#count -= deliveries.length;
    const [next] = this.#wanting;
    if (next && this.#looking === null) this.want(next);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#urgent.set();
    await this.#looking;
  }

  // Little is read of a channel that fails: it may well fail again.
  #targetOf(channel: LeasedChannel): number {
    const { perChannelMax, prefetchPerChannel } = this.#deps.settings;
    const waiting = channel.waitingCount;
    if (channel.isFailing) return waiting > 0 ? 0 : perChannelMax;
    // What is sent one by one fills memory that others need.
    const target = channel.endpoint.pace ? pacedTarget : prefetchPerChannel;
    return waiting > target / 2 ? 0 : target - waiting;
  }

  async #lookAll(): Promise<void> {
    // What is asked for in one go is looked at in one go.
    await Promise.resolve();
    while (this.#wanting.size > 0 && this.capacity > 0 && !this.#isClosing) {
      const isScarce = this.capacity < perLookMin * channelsPerLook;
      if (isScarce) await delay(scarceMs);
      else await this.#urgent.wait(gatherMs);
      const countMax = Math.ceil(this.capacity / perLookMin);
      const batch = [...this.#wanting].slice(0, Math.min(channelsPerLook, countMax));
      for (const channel of batch) this.#wanting.delete(channel);
      try {
        await this.#look(batch);
      } catch (error) {
        this.#deps.log.warn({ reason: String(error) }, "deliveries can't be read right now");
        for (const channel of batch) channel.cancelLook();
        const again = setTimeout(() => {
          for (const channel of batch) this.want(channel);
        }, againMs);
        again.unref();
      }
    }
  }

  async #look(batch: readonly LeasedChannel[]): Promise<void> {
    const { clock, onLost, onRead, queue } = this.#deps;
    const nowMs = monotonicMs();
    const share = Math.max(1, Math.floor(this.capacity / batch.length));
    const looks = new Map<LeasedChannel, DueLook>();
    for (const channel of batch) {
      const countMax = Math.min(share, this.#targetOf(channel));
      if (countMax > 0) looks.set(channel, channel.beginLook({ nowMs, countMax }));
    }
    const read = { looks: [...looks.values()], now: clock.now() };
    const results = await queue.readDueDeliveries(read);
    const byId = new Map(results.map((result) => [result.channelId, result]));
    for (const [channel, look] of looks) {
      const result = byId.get(channel.id);
      if (!result) {
        channel.cancelLook();
        onLost(channel);
        continue;
      }
      const { added, odd } = channel.endLook(look, result);
      this.#count += added.length;
      for (const { body } of added) {
        this.#byteCount += body.length;
        this.#bytesEach += (body.length - this.#bytesEach) / 64;
      }
      if (odd.length > 0) await this.#settleOdd(channel, odd);
      onRead(channel);
      if (channel.hasMore) this.want(channel);
    }
  }

  /** Drafts that came due are drafts no more; what the channel does not want any more is cancelled. */
  async #settleOdd(channel: LeasedChannel, odd: readonly DueDelivery[]): Promise<void> {
    const { clock, queue } = this.#deps;
    const drafts = odd.filter(({ isDraft }) => isDraft);
    if (drafts.length > 0) await queue.closeDrafts(drafts);
    if (odd.some(({ isWanted }) => !isWanted)) {
      const cancel = { channelId: channel.id, now: clock.now() };
      await queue.transaction((tx) => tx.cancelDeliveries(cancel));
    }
    channel.readAgain();
  }
}
