// Asks the database, right before anything is signed, whether channels are still held and as they were read: one
// question for many channels, and one after the other, so that the next gathers while one is answered. Slots that
// wait for an answer are kept for it.
import { setTimeout as delay } from "node:timers/promises";
import type { LeaseCheck } from "../domain/delivery.ts";
import { type Clock, monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ResolveEndpoint } from "./channel-types/resolve-endpoint.ts";
import type { Freshness } from "./freshness.ts";
import type { LeasedChannel } from "./leased-channel.ts";
import type { Prefetcher } from "./prefetcher.ts";
import type { Queue } from "./queue.ts";
import { createWakeSignal } from "./wake-signal.ts";

type ChannelChecksDeps<Slot> = {
  clock: Clock;
  log: Log;
  queue: Pick<Queue, "checkLeases">;
  resolveEndpoint: ResolveEndpoint;
  prefetcher: Prefetcher;
  freshness: Freshness;
  /** Channels whose turn is next. */
  listNext: (countMax: number) => LeasedChannel[];
  /** Asked, with an answer or without one. */
  onChecked: (channel: LeasedChannel, slots: readonly Slot[]) => void;
  /** The channel is no longer held by this process, or gone. */
  onLost: (channel: LeasedChannel) => void;
};

const checkMax = 256;
/** So many of those that will be asked about soon are asked about at once. */
const nextMax = 32;
// Between two questions: one costs as much for many channels as for one.
const gatherMs = 1;
// Channels that are asked about before anybody waits for the answer gather for so long: soon the others that send
// have to be asked about as well.
const earlyMs = 6;
const againMs = 250;

export class ChannelChecks<Slot> {
  readonly #deps: ChannelChecksDeps<Slot>;
  readonly #requested = new Map<LeasedChannel, readonly Slot[]>();
  readonly #urgent = createWakeSignal();
  #reservedCount = 0;
  #checking: Promise<void> | null = null;
  #isClosing = false;

  constructor(deps: ChannelChecksDeps<Slot>) {
    this.#deps = deps;
  }

  /** Slots that wait for an answer. */
  get reservedCount(): number {
    return this.#reservedCount;
  }

  request(channel: LeasedChannel, slots: readonly Slot[]): void {
    channel.reservedCount += slots.length;
    this.#reservedCount += slots.length;
    this.#requested.set(channel, [...(this.#requested.get(channel) ?? []), ...slots]);
    if (slots.length > 0) this.#urgent.set();
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = null;
    });
  }

  /** What was not looked up yet is not looked up any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#urgent.set();
    await this.#checking;
  }

  async #checkAll(): Promise<void> {
    // What is requested in one go is one question.
    await Promise.resolve();
    while (this.#requested.size > 0 && !this.#isClosing) {
      if (this.#reservedCount === 0) await this.#urgent.wait(earlyMs);
      const batch = [...this.#requested].slice(0, checkMax);
      for (const [channel] of batch) this.#requested.delete(channel);
      const channels = new Set(batch.map(([channel]) => channel));
      for (const channel of this.#deps.listNext(nextMax)) channels.add(channel);
      try {
        await this.#check([...channels]);
      } catch (error) {
        this.#deps.log.warn({ reason: String(error) }, "deliveries can't be sent right now");
        await delay(againMs);
      }
      for (const [channel, slots] of batch) {
        channel.reservedCount -= slots.length;
        this.#reservedCount -= slots.length;
        this.#deps.onChecked(channel, slots);
      }
      if (this.#requested.size > 0) await delay(gatherMs);
    }
  }

  async #check(batch: readonly LeasedChannel[]): Promise<void> {
    const { clock, freshness, onLost, queue } = this.#deps;
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
      freshness.noteRoundTrip(monotonicMs() - askedAtMs);
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
}
