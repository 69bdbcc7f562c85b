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

type ChannelChecksDeps<Slot> = {
  clock: Clock;
  log: Log;
  queue: Pick<Queue, "checkLeases">;
  resolveEndpoint: ResolveEndpoint;
  prefetcher: Prefetcher;
  freshness: Freshness;
  /** Asked, with an answer or without one. */
  onChecked: (channel: LeasedChannel, slots: readonly Slot[]) => void;
  /** The channel is no longer held by this process, or gone. */
  onLost: (channel: LeasedChannel) => void;
};

const checkMax = 256;
// Between two questions: one costs as much for many channels as for one.
const gatherMs = 1;
const againMs = 250;

export class ChannelChecks<Slot> {
  readonly #deps: ChannelChecksDeps<Slot>;
  readonly #requested = new Map<LeasedChannel, readonly Slot[]>();
  #checking: Promise<void> | null = null;
  #isClosing = false;

  constructor(deps: ChannelChecksDeps<Slot>) {
    this.#deps = deps;
  }

  request(channel: LeasedChannel, slots: readonly Slot[]): void {
    channel.reservedCount += slots.length;
    this.#requested.set(channel, [...(this.#requested.get(channel) ?? []), ...slots]);
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = null;
    });
  }

  /** What was not looked up yet is not looked up any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#checking;
  }

  async #checkAll(): Promise<void> {
    // What is requested in one go is one question.
    await Promise.resolve();
    while (this.#requested.size > 0 && !this.#isClosing) {
      const batch = [...this.#requested].slice(0, checkMax);
      for (const [channel] of batch) this.#requested.delete(channel);
      try {
        await this.#check(batch.map(([channel]) => channel));
      } catch (error) {
        this.#deps.log.warn({ reason: String(error) }, "deliveries can't be sent right now");
        await delay(againMs);
      }
      for (const [channel, slots] of batch) {
        channel.reservedCount -= slots.length;
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
