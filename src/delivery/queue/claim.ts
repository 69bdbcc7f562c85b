// Claims of due deliveries for the slots that are free: one question at a time to the queue, for channels that are held
// and for new ones. Nothing is read ahead, and a claim is good for a moment only: what has not been sent by then is
// given back, so that a deleted channel, another secret and a process that stood still are one case.

import type { DeliveryQueue } from "../../database/database.ts";
import type { ClaimedChannel, DueDelivery } from "../../domain/delivery.ts";
import { type Clock, type Moment, markMoment, monotonicMs } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { ResolveEndpoint } from "../channel-types/resolve-endpoint.ts";
import { ClaimAge } from "./claim-age.ts";
import { checkMs, HeldChannel } from "./held-channel.ts";
import type { Pacer } from "./pacer.ts";
import type { DeliverySettings } from "./settings.ts";
import type { Slots } from "./slots.ts";

/** The deliveries of one channel that a claim found, to be sent while the claim is recent. */
export type Turn = {
  channel: HeldChannel;
  claimedAt: Moment;
  waiting: DueDelivery[];
  slotCountMax: number;
};

type ClaimerDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<
    DeliveryQueue,
    | "claimDeliveries"
    | "signalUnknownChannels"
    | "releaseChannels"
    | "closeDrafts"
    | "removeOrphansOfChannel"
    | "transaction"
  >;
  resolveEndpoint: ResolveEndpoint;
  settings: DeliverySettings;
  slots: Slots;
  pacer: Pacer;
  /** How many more attempts may begin. */
  capacity: () => number;
  /** Bytes of bodies that are claimed and not sent, and of those in flight. */
  heldBytes: () => number;
  onTurn: (turn: Turn) => void;
  /** The channel's health has to be saved. */
  onHealth: (channel: HeldChannel) => void;
  /** Something may be claimed that could not be before. */
  onChange: () => void;
};

const channelsMax = 256;
const runMax = 16;
// A larger answer takes so long to read that the claim is old before it is used.
const claimBytesMax = 2 * 1_048_576;
const asideMs = 60_000;
const slowChannelsMax = 10_000;

export class Claimer {
  readonly #deps: ClaimerDeps;
  readonly #channels = new Map<string, HeldChannel>();
  /** In the order in which they were last chosen for a claim. */
  readonly #turnOrder = new Set<HeldChannel>();
  /** Given up here, and not yet in the database. */
  readonly #unreleasedIds = new Set<string>();
  /** Deliveries that ended while a claim was under way: its answer may still have them. */
  readonly #endedIds = new Set<string>();
  readonly #slowIds = new Set<string>();
  readonly #age = new ClaimAge();
  /** Channels may be held that are not known here: the answer to a claim was lost. */
  #isUnsure = false;
  #mayHaveMore = false;
  #checkTimer: NodeJS.Timeout | null = null;

  constructor(deps: ClaimerDeps) {
    this.#deps = deps;
  }

  /** Whether another claim could find something without a new signal. */
  get isUseful(): boolean {
    if (this.#deps.slots.free <= 0 || this.#deps.capacity() <= 0) return false;
    return this.#mayHaveMore || this.#listWanting().length > 0;
  }

  list(): HeldChannel[] {
    return [...this.#channels.values()];
  }

  /** The answer to something may have been lost, or a channel may be held without being known. */
  doubt(): void {
    this.#isUnsure = true;
  }

  /** The delivery is no longer claimed: an answer that is under way may still have it. */
  noteEnded(deliveryId: string): void {
    this.#endedIds.add(deliveryId);
  }

  isRecent({ claimedAt }: Turn): boolean {
    return this.#age.isRecent(claimedAt);
  }

  isRecentOnWire({ claimedAt, channel }: Turn): boolean {
    return this.#age.isRecentOnWire(claimedAt, channel.staleCount);
  }

  /** One claim. */
  async claim(workerId: number): Promise<void> {
    const { clock, queue, settings, slots } = this.#deps;
    const now = clock.now();
    if (this.#isUnsure) {
      const knownIds = [...this.#channels.keys()];
      await queue.signalUnknownChannels({ workerId, knownIds, now });
      this.#isUnsure = false;
    }
    for (const channel of this.#channels.values()) channel.wakeAt(now);
    const free = Math.min(slots.free, this.#deps.capacity());
    const chosen = free > 0 ? this.#choose(free) : [];
    const slotsLeft = Math.max(0, free - chosen.reduce((sum, { slotCount }) => sum + slotCount, 0));
    const answeringMax = Math.min(channelsMax, slotsLeft);
    const failingMax = Math.min(channelsMax, slotsLeft, Math.max(0, slots.freeFailing));
    const freeBytes = settings.bodyBytesMax - this.#deps.heldBytes();
    const reservedBytes = settings.bodyBytesMax / 4;
    const claimedAt = markMoment();
    this.#endedIds.clear();
    for (const { channel, countMax } of chosen) {
      channel.beginClaim();
      if (countMax === 0) continue;
      this.#turnOrder.delete(channel);
      this.#turnOrder.add(channel);
    }
    try {
      const answer = await queue.claimDeliveries({
        workerId,
        now,
        held: chosen.map(({ channel, countMax }) => ({
          channelId: channel.id,
          countMax,
          bytesMax: settings.bodyBytesPerChannel,
          busyIds: [...channel.busyIds],
        })),
        answeringMax,
        failingMax,
        fullHosts: slots.fullHosts(),
        perChannelMax: settings.perChannelMax,
        perChannelBytesMax: settings.bodyBytesPerChannel,
        countMax: chosen.reduce((sum, { countMax }) => sum + countMax, slotsLeft),
        bytesMax: Math.max(0, Math.min(claimBytesMax, freeBytes)),
        busyBytesMax: Math.max(0, Math.min(claimBytesMax, freeBytes - reservedBytes)),
      });
      this.#age.noteRoundTrip(monotonicMs() - claimedAt.monotonicMs);
      this.#apply(answer, { workerId, claimedAt, chosen });
      const leasedCount = answer.filter(({ isLeased }) => isLeased).length;
      this.#mayHaveMore = leasedCount > 0 && leasedCount >= Math.min(answeringMax, failingMax);
    } catch (error) {
      this.#isUnsure = true;
      for (const { channel } of chosen) channel.endClaim({ hasMore: true, nextDueAt: null });
      throw error;
    }
  }

  lose(channel: HeldChannel): void {
    channel.lose();
    this.#turnOrder.delete(channel);
    if (this.#channels.get(channel.id) === channel) this.#channels.delete(channel.id);
    const { answeredInMs } = channel;
    if (answeredInMs === null) return;
    // A channel that was slow begins as a slow one when it is held again.
    if (answeredInMs < this.#deps.settings.slowMs) this.#slowIds.delete(channel.id);
    else if (this.#slowIds.size < slowChannelsMax) this.#slowIds.add(channel.id);
  }

  loseAll(): void {
    this.#unreleasedIds.clear();
    for (const channel of this.list()) this.lose(channel);
  }

  /** Gives channels back that have been idle for a while, or all of them, and those that could not be before. */
  async release(workerId: number, { isClosing }: { isClosing: boolean }): Promise<void> {
    const { queue, settings } = this.#deps;
    const idleSinceMs = monotonicMs() - settings.idleMs;
    for (const channel of this.list()) {
      const isOver = channel.isIdle && channel.idleSinceMs <= idleSinceMs;
      if (channel.workerId !== workerId || !(isOver || isClosing)) continue;
      this.lose(channel);
      this.#unreleasedIds.add(channel.id);
    }
    if (this.#unreleasedIds.size === 0) return;
    const channelIds = [...this.#unreleasedIds];
    const released = await queue.releaseChannels({ workerId, channelIds });
    for (const id of released) this.#unreleasedIds.delete(id);
  }

  #slotsOf(channel: HeldChannel): number {
    const { inFlightMax, perChannelMax, probeAfter, slowMs } = this.#deps.settings;
    const { endpoint, health, answeredInMs, slotCount } = channel;
    const isProven = answeredInMs !== null && answeredInMs < slowMs;
    const isRoomy = this.#deps.slots.count < inFlightMax / 2;
    const isAlone =
      health.timeoutCount >= probeAfter || endpoint.pace !== null || !(isProven || isRoomy);
    const free = (isAlone ? 1 : perChannelMax) - slotCount;
    return Math.max(0, Math.min(free, this.#deps.slots.freeFor(channel)));
  }

  /** Held channels that a claim could be for. */
  #listWanting(): HeldChannel[] {
    return [...this.#turnOrder].filter((channel) => {
      if (channel.state.kind !== "due") return false;
      return this.#slotsOf(channel) > 0 && this.#mayAsk(channel);
    });
  }

  /** Destinations that are held off are asked about now and then: the channel may have got another one. */
  #mayAsk({ askedAtMs, endpoint }: HeldChannel): boolean {
    if (this.#deps.pacer.isFree(endpoint.pace)) return true;
    return monotonicMs() - askedAtMs >= this.#deps.settings.pollMs;
  }

  #choose(free: number): Chosen[] {
    const chosen: Chosen[] = [];
    let left = free;
    const hosts = new Map<string, number>();
    const destinations = new Set<string>();
    for (const channel of this.#listWanting()) {
      if (left <= 0 || chosen.length >= channelsMax) break;
      const { pace } = channel.endpoint;
      if (!this.#deps.pacer.isFree(pace)) {
        chosen.push({ channel, slotCount: 0, countMax: 0 });
        continue;
      }
      // One of the channels with this destination: the others are before it in the next turn.
      if (pace && destinations.has(pace.key)) continue;
      if (pace) destinations.add(pace.key);
      const atHost = hosts.get(channel.host) ?? 0;
      const slotCount = Math.min(left, this.#slotsOf(channel), this.#hostFree(channel) - atHost);
      if (slotCount <= 0) continue;
      hosts.set(channel.host, atHost + slotCount);
      left -= slotCount;
      chosen.push({ channel, slotCount, countMax: slotCount * this.#runOf(channel) });
    }
    return chosen;
  }

  /** How many deliveries a slot gets with one claim: those that it probably sends while the claim is recent. */
  #runOf({ servedInMs, endpoint }: HeldChannel): number {
    if (servedInMs === null || endpoint.pace !== null) return 1;
    const fitting = Math.floor(this.#age.recentMs / 2 / Math.max(1, servedInMs));
    return Math.min(runMax, Math.max(1, fitting));
  }

  #hostFree({ host }: HeldChannel): number {
    return this.#deps.slots.freeFor({ host, isFailing: false, answeredInMs: null });
  }

  #apply(
    answer: readonly ClaimedChannel[],
    source: { workerId: number; claimedAt: Moment; chosen: readonly Chosen[] },
  ): void {
    const answeredIds = new Set<string>();
    for (const claimed of answer) {
      answeredIds.add(claimed.channelId);
      try {
        this.#applyOne(claimed, source);
      } catch (error) {
        // One row that can't be used must not stop the others.
        this.#setAside(claimed, { workerId: source.workerId, error });
      }
    }
    for (const { channel } of source.chosen) if (!answeredIds.has(channel.id)) this.lose(channel);
  }

  #applyOne(
    claimed: ClaimedChannel,
    { workerId, claimedAt }: { workerId: number; claimedAt: Moment },
  ): void {
    const channel = this.#take(claimed, workerId);
    if (claimed.unreadableIds.length > 0) {
      void this.#removeOrphans(channel, claimed);
      return;
    }
    if (!channel.isOpen) return;
    const isNew = ({ id }: DueDelivery): boolean =>
      !(channel.busyIds.has(id) || this.#endedIds.has(id));
    const deliveries = claimed.deliveries.filter(isNew);
    // An answer with something of another claim says too little about the rest.
    const isPartial = deliveries.length < claimed.deliveries.length;
    const odd = deliveries.filter(({ isDraft, isWanted }) => isDraft || !isWanted);
    const sendable = deliveries.filter(({ isDraft, isWanted }) => isWanted && !isDraft);
    const slotCountMax = this.#deps.pacer.isFree(channel.endpoint.pace)
      ? this.#slotsOf(channel)
      : 0;
    const countMax = channel.endpoint.pace ? Math.min(1, slotCountMax) : sendable.length;
    const waiting = slotCountMax > 0 ? sendable.slice(0, countMax) : [];
    const hasMore =
      claimed.hasMore || slotCountMax === 0 || waiting.length < sendable.length || isPartial;
    const { isLeased, nextDueAt } = claimed;
    channel.endClaim({ hasMore, nextDueAt, isLeased });
    if (isLeased && !hasMore) this.#checkLater();
    if (odd.length > 0) void this.#settleOdd(channel, odd);
    if (waiting.length === 0 || !channel.isOpen) return;
    for (const { id } of waiting) channel.hold(id);
    this.#deps.onTurn({ channel, claimedAt, waiting, slotCountMax });
  }

  #checkLater(): void {
    this.#checkTimer ??= setTimeout(() => {
      this.#checkTimer = null;
      const now = this.#deps.clock.now();
      for (const channel of this.#channels.values()) channel.wakeAt(now);
      this.#deps.onChange();
    }, checkMs + 1);
  }

  #take(claimed: ClaimedChannel, workerId: number): HeldChannel {
    const { channelId, version } = claimed;
    this.#unreleasedIds.delete(channelId);
    const known = this.#channels.get(channelId);
    if (known?.workerId === workerId) {
      if (known.version !== version) known.endpoint = this.#deps.resolveEndpoint(claimed);
      known.version = version;
      return known;
    }
    const channel = new HeldChannel(workerId, claimed, this.#deps.resolveEndpoint(claimed));
    if (this.#slowIds.has(channelId)) channel.answeredInMs = this.#deps.settings.slowMs;
    this.#channels.set(channelId, channel);
    this.#turnOrder.add(channel);
    return channel;
  }

  /** Drafts that came due are drafts no more; deliveries that the channel does not want any more are cancelled. */
  async #settleOdd(channel: HeldChannel, odd: readonly DueDelivery[]): Promise<void> {
    const { clock, log, onChange, queue } = this.#deps;
    channel.unsettle("odd");
    try {
      const drafts = odd.filter(({ isDraft }) => isDraft);
      if (drafts.length > 0) await queue.closeDrafts(drafts);
      const unwantedIds = odd.filter(({ isWanted }) => !isWanted).map(({ id }) => id);
      const cancel = { channelId: channel.id, now: clock.now(), unwantedIds };
      if (unwantedIds.length > 0) await queue.transaction((tx) => tx.cancelDeliveries(cancel));
    } catch (error) {
      log.warn({ reason: String(error), channelId: channel.id }, "deliveries can't be cancelled");
    }
    channel.settle("odd");
    onChange();
  }

  /** Pending rows without a delivery are deleted; any other that can't be read puts its channel aside. */
  async #removeOrphans(channel: HeldChannel, { unreadableIds }: ClaimedChannel): Promise<void> {
    const { log, onChange, queue } = this.#deps;
    const { id: channelId } = channel;
    channel.unsettle("orphans");
    try {
      const orphans = { channelId, ids: unreadableIds };
      const removedIds = await queue.removeOrphansOfChannel(orphans);
      log.warn({ channelId, removedIds }, "rows without a delivery were deleted");
      const [left] = unreadableIds.filter((id) => !removedIds.includes(id));
      if (left !== undefined) this.#putAside(channel, `delivery ${left} can't be read`);
    } catch (error) {
      log.warn({ reason: String(error), channelId }, "a pending row can't be looked at");
    }
    channel.settle("orphans");
    onChange();
  }

  /** Something that can't be used: the channel waits, its lease is kept, and the others go on. */
  #setAside(
    claimed: ClaimedChannel,
    { workerId, error }: { workerId: number; error: unknown },
  ): void {
    const { channelId, deliveries, host, url } = claimed;
    const known = this.#channels.get(channelId);
    const unusable = { url, host, pace: null, isDroppedBy410: false, send: () => notSent };
    const channel = known ?? new HeldChannel(workerId, claimed, unusable);
    channel.version = -1;
    this.#channels.set(channelId, channel);
    this.#turnOrder.add(channel);
    const deliveryIds = deliveries.map(({ id }) => id);
    this.#deps.log.error(
      { reason: String(error), channelId, deliveryIds },
      "a channel is set aside",
    );
    const [first] = deliveryIds;
    const at = first === undefined ? "" : ` at delivery ${first}`;
    this.#putAside(channel, `Starpost can't read this channel${at}; its log has the error`);
  }

  #putAside(channel: HeldChannel, reason: string): void {
    channel.setAside(monotonicMs() + asideMs, reason, this.#deps.clock.now());
    this.#deps.onHealth(channel);
  }
}

type Chosen = { channel: HeldChannel; slotCount: number; countMax: number };

const notSent = Promise.reject(new Error("a channel that is set aside sends nothing"));
notSent.catch(() => {});
