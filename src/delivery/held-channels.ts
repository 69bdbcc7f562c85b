// The channels that this process delivers for: taken, looked at when something of them comes due, and given back
// when nothing is left to do.

import type { ChannelLease } from "../domain/delivery.ts";
import { type Clock, monotonicMs } from "../lib/clock.ts";
import type { ResolveEndpoint } from "./channel-types/resolve-endpoint.ts";
import { LeasedChannel } from "./leased-channel.ts";
import type { Prefetcher } from "./prefetcher.ts";
import type { Queue } from "./queue.ts";

type HeldChannelsDeps = {
  clock: Clock;
  resolveEndpoint: ResolveEndpoint;
  prefetcher: Prefetcher;
  /** Something came along with its lease. */
  onFirst: (channel: LeasedChannel) => void;
};

export class HeldChannels {
  readonly #deps: HeldChannelsDeps;
  readonly #channels = new Map<string, LeasedChannel>();
  /** Given up here, and not yet in the database. */
  readonly #unreleased = new Set<string>();

  constructor(deps: HeldChannelsDeps) {
    this.#deps = deps;
  }

  list(): LeasedChannel[] {
    return [...this.#channels.values()];
  }

  /** Takes note of a lease: of a new channel, or of something new for one that is held. */
  take(lease: ChannelLease, source: { workerId: number; checkedAtMs: number }): void {
    this.#unreleased.delete(lease.channelId);
    const known = this.#channels.get(lease.channelId);
    if (known && known.workerId === source.workerId) {
      // The lease says that it is held, and whether it is unchanged, as of when it was asked for.
      const isSame = known.version === lease.version;
      known.checkedAtMs = isSame ? source.checkedAtMs : Number.NEGATIVE_INFINITY;
      known.signal();
      this.#begin(known, { lease, askedAtMs: source.checkedAtMs });
      return;
    }
    const endpoint = this.#deps.resolveEndpoint(lease);
    const channel = new LeasedChannel({ lease, endpoint, ...source });
    this.#channels.set(channel.id, channel);
    this.#begin(channel, { lease, askedAtMs: source.checkedAtMs });
  }

  /** What came along goes out at once; what else there is can wait a moment, until others are looked at. */
  #begin(
    channel: LeasedChannel,
    { lease, askedAtMs }: { lease: ChannelLease; askedAtMs: number },
  ): void {
    const { onFirst, prefetcher } = this.#deps;
    const first = channel.takeFirst(lease.firstDeliveries, askedAtMs);
    for (const delivery of first) prefetcher.hold(delivery);
    if (first.length > 0) onFirst(channel);
    prefetcher.want(channel, { isUrgent: first.length === 0 });
  }

  lose(channel: LeasedChannel): void {
    channel.isLost = true;
    this.#deps.prefetcher.release(channel.dropWaiting());
    if (this.#channels.get(channel.id) === channel) this.#channels.delete(channel.id);
  }

  loseAll(): void {
    this.#unreleased.clear();
    for (const channel of this.list()) this.lose(channel);
  }

  /** Reads of the channels whose next delivery has come due meanwhile. */
  lookAtDue(now: Date): void {
    const nowMs = monotonicMs();
    for (const channel of this.#channels.values()) {
      const isDue = channel.nextDueAt !== null && channel.nextDueAt <= now;
      if (isDue) {
        channel.nextDueAt = null;
        // What comes due now is sent as the channel is now.
        channel.checkedAtMs = Number.NEGATIVE_INFINITY;
      }
      if (isDue || channel.isWholeLookDue(nowMs)) channel.hasMore = true;
      if (channel.hasMore) this.#deps.prefetcher.want(channel);
    }
  }

  listIdle(idleMs: number): LeasedChannel[] {
    const since = monotonicMs() - idleMs;
    return this.list().filter((channel) => channel.isIdle && channel.idleSinceMs <= since);
  }

  /** Gives channels back that are still idle, and those that could not be given back before. */
  async release(release: {
    queue: Pick<Queue, "releaseChannels">;
    workerId: number;
    channels: readonly LeasedChannel[];
    isClosing: boolean;
  }): Promise<void> {
    const { queue, workerId, isClosing } = release;
    for (const channel of release.channels) {
      // It may have got something to do meanwhile.
      if (channel.workerId !== workerId || !(channel.isIdle || isClosing)) continue;
      this.lose(channel);
      this.#unreleased.add(channel.id);
    }
    if (this.#unreleased.size === 0) return;
    const channelIds = [...this.#unreleased];
    const released = await queue.releaseChannels({ workerId, channelIds });
    for (const id of released) this.#unreleased.delete(id);
  }
}
