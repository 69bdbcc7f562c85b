// The deliveries that this process holds: on the wire, or at hand to follow as soon as there is a
// place. Says what needs its target, what may go out now and how much more may be claimed, so that
// endpoints that hang, and hosts that many channels share, can't take the places of those that answer.
import type { ClaimedDelivery, DeliveryClaim } from "../domain/delivery.ts";
import { HandChannel, type Ready } from "./hand-channel.ts";
import type { DeliverySettings } from "./settings.ts";

type ClaimRoom = Omit<DeliveryClaim, "leaseToken" | "now" | "leasedUntil" | "probeAfter">;

export type HandSettings = Pick<
  DeliverySettings,
  "inFlightMax" | "failingMax" | "perHostMax" | "perChannelMax" | "aheadFactor"
>;

/** A target is read right before signing: after so long it is read again. */
const freshMs = 25;
/** One question asks for so many targets at most. */
const askMax = 256;

export class Hand<Target> {
  readonly #settings: HandSettings;
  readonly #channels = new Map<string, HandChannel<Target>>();
  /** Those of them that something waits for, the one that was served longest ago first. */
  readonly #waiting = new Set<HandChannel<Target>>();
  readonly #wireOfHost = new Map<string, number>();
  readonly #takenOfHost = new Map<string, number>();
  #wireCount = 0;
  #takenCount = 0;
  #failingCount = 0;

  constructor(settings: HandSettings) {
    this.#settings = settings;
  }

  /** On the wire and at hand. */
  get takenCount(): number {
    return this.#takenCount;
  }

  get wireCount(): number {
    return this.#wireCount;
  }

  /** @param sendBy in milliseconds since 1970: later they have to be put back */
  take(claimed: readonly ClaimedDelivery[], sendBy: number): void {
    for (const delivery of claimed) {
      const channel =
        this.#channels.get(delivery.channelId) ?? new HandChannel<Target>(delivery.channelId);
      this.#channels.set(delivery.channelId, channel);
      channel.take(delivery, sendBy);
      this.#waiting.add(channel);
      this.#count(delivery, 1);
    }
  }

  /**
   * What needs its target now: for each place on the wire what takes it, and one more to follow at once.
   * @param nowMs on `performance.now()`'s clock
   */
  ask(nowMs: number): ClaimedDelivery[] {
    const asked: ClaimedDelivery[] = [];
    const { inFlightMax, perChannelMax, perHostMax } = this.#settings;
    const prepared = this.#countPrepared();
    let freeCount = inFlightMax - this.#wireCount;
    let newCount = inFlightMax + freeCount;
    for (const count of prepared.values()) newCount -= count;
    for (const channel of this.#waiting) {
      if (asked.length >= askMax) break;
      const host = channel.nextHost;
      const hostFreeCount = perHostMax - (this.#wireOfHost.get(host) ?? 0);
      const hostNewCount = perHostMax + hostFreeCount - (prepared.get(host) ?? 0);
      const left = askMax - asked.length;
      const batch = channel.ask({
        wireMax: perChannelMax,
        newMax: Math.min(hostNewCount, newCount, left),
        againMax: Math.min(hostFreeCount, freeCount, left),
        freshSinceMs: nowMs - freshMs,
      });
      add(prepared, host, batch.newCount);
      newCount -= batch.newCount;
      freeCount -= batch.asked.length - batch.newCount;
      asked.push(...batch.asked);
    }
    return asked;
  }

  /** The answer to `ask`. */
  prepare(delivery: ClaimedDelivery, answer: { target: Target; readAtMs: number }): void {
    this.#channels.get(delivery.channelId)?.prepare(delivery, answer);
  }

  /** It has no target, or none could be read: it leaves the hand. Whether it was still waiting. */
  drop(delivery: ClaimedDelivery): boolean {
    const channel = this.#channels.get(delivery.channelId);
    if (!channel?.drop(delivery)) return false;
    this.#count(delivery, -1);
    if (channel.waitingCount === 0) this.#waiting.delete(channel);
    if (channel.isIdle) this.#channels.delete(channel.id);
    return true;
  }

  /**
   * What may go on the wire now, each channel in turn; its places are taken from here on.
   * @param nowMs on `performance.now()`'s clock
   */
  start(nowMs: number): Ready<Target>[] {
    const started: Ready<Target>[] = [];
    for (const channel of [...this.#waiting]) {
      if (this.#wireCount >= this.#settings.inFlightMax) break;
      const before = started.length;
      while (this.#mayStart(channel, nowMs - freshMs)) started.push(this.#startNext(channel));
      if (started.length === before) continue;
      // Behind the others: next time they come first.
      this.#waiting.delete(channel);
      if (channel.waitingCount > 0) this.#waiting.add(channel);
    }
    return started;
  }

  /** It left the wire. Returns whether something that was full has room for a claim again. */
  end(delivery: ClaimedDelivery): boolean {
    const wasFull = this.#isFullFor(delivery);
    const channel = this.#channels.get(delivery.channelId);
    channel?.end(delivery);
    this.#wireCount -= 1;
    add(this.#wireOfHost, delivery.host, -1);
    this.#count(delivery, -1);
    if (channel?.isIdle) this.#channels.delete(delivery.channelId);
    return wasFull && !this.#isFullFor(delivery);
  }

  /** Nothing more of the channel goes out until what waits for it was put back. */
  stop(channelId: string): void {
    this.#channels.get(channelId)?.stop();
  }

  /** What waits for the channel leaves the hand. */
  putBack(channelId: string): ClaimedDelivery[] {
    const channel = this.#channels.get(channelId);
    if (!channel) return [];
    const back = channel.putBack();
    this.#waiting.delete(channel);
    for (const delivery of back) this.#count(delivery, -1);
    if (channel.isIdle) this.#channels.delete(channelId);
    return back;
  }

  /** What has waited too long leaves the hand. */
  putLateBack(now: number): ClaimedDelivery[] {
    const late = [...this.#waiting].filter((channel) => channel.isLate(now));
    return late.flatMap(({ id }) => this.putBack(id));
  }

  putAllBack(): ClaimedDelivery[] {
    return [...this.#waiting].flatMap(({ id }) => this.putBack(id));
  }

  /** What may be claimed now. Deliveries wait at hand for channels that answer only. */
  room(): ClaimRoom {
    const { inFlightMax, failingMax, perChannelMax, perHostMax } = this.#settings;
    const ahead = 1 + this.#settings.aheadFactor;
    const room = Math.max(0, inFlightMax * ahead - this.#takenCount);
    const channels = [...this.#channels.values()];
    const hosts = [...this.#takenOfHost].map(([host, count]) => ({ host, count }));
    return {
      room,
      failingRoom: Math.max(0, Math.min(room, failingMax - this.#failingCount)),
      perChannelMax: perChannelMax * ahead,
      perFailingChannelMax: perChannelMax,
      perHostMax: perHostMax * ahead,
      taken: channels.map(({ id, freshCount, retryCount }) => ({
        channelId: id,
        freshCount,
        retryCount,
      })),
      takenHosts: hosts,
      fullChannelIds: channels.filter((channel) => this.#isFull(channel)).map(({ id }) => id),
      fullHosts: hosts.filter(({ host }) => this.#isHostFull(host)).map(({ host }) => host),
    };
  }

  #countPrepared(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const channel of this.#waiting) add(counts, channel.nextHost, channel.preparedCount);
    return counts;
  }

  #mayStart(channel: HandChannel<Target>, freshSinceMs: number): boolean {
    const { inFlightMax, perChannelMax, perHostMax } = this.#settings;
    return (
      this.#wireCount < inFlightMax &&
      channel.mayStart({ wireMax: perChannelMax, freshSinceMs }) &&
      (this.#wireOfHost.get(channel.nextHost) ?? 0) < perHostMax
    );
  }

  #startNext(channel: HandChannel<Target>): Ready<Target> {
    const ready = channel.start();
    this.#wireCount += 1;
    add(this.#wireOfHost, ready.delivery.host, 1);
    return ready;
  }

  #count(delivery: ClaimedDelivery, by: 1 | -1): void {
    this.#takenCount += by;
    if (delivery.isFailing) this.#failingCount += by;
    add(this.#takenOfHost, delivery.host, by);
  }

  // Claiming a single row costs as much as claiming many: a channel that answers counts as full until
  // half of what may wait for it is gone.
  #isFull(channel: HandChannel<Target>): boolean {
    const { perChannelMax, aheadFactor } = this.#settings;
    if (channel.isProbe) return true;
    if (channel.isFailing) return channel.takenCount >= perChannelMax;
    return channel.takenCount > perChannelMax * (1 + aheadFactor / 2);
  }

  #isHostFull(host: string): boolean {
    const { perHostMax, aheadFactor } = this.#settings;
    return (this.#takenOfHost.get(host) ?? 0) >= perHostMax * (1 + aheadFactor);
  }

  #isFullFor({ channelId, host, isFailing }: ClaimedDelivery): boolean {
    const { inFlightMax, failingMax, aheadFactor } = this.#settings;
    const channel = this.#channels.get(channelId);
    return (
      this.#takenCount >= inFlightMax * (1 + aheadFactor) ||
      (isFailing && this.#failingCount >= failingMax) ||
      this.#isHostFull(host) ||
      (channel !== undefined && this.#isFull(channel))
    );
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
