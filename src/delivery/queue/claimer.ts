// Claims of due deliveries for the slots that are free: one question at a time to the queue, for channels that are held
// and for new ones. Nothing is read ahead, and a claim is good for a moment only: deliveries that have not been sent by
// then are given back. A deleted channel, another secret and a process that stood still are one case.

import type { DeliveryQueue } from "../../database/database.ts";
import type { ClaimedChannel, DueDelivery } from "../../domain/channel/delivery.ts";
import { type Clock, type Moment, markMoment } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { ResolveEndpoint } from "../channel-types/resolve-endpoint.ts";
import type { ClaimedBatch } from "./dispatcher.ts";
import { HeldChannel, recentMs } from "./held-channel.ts";
import type { Outcome } from "./outcome-recorder.ts";
import type { Pacer } from "./pacer.ts";
import type { DeliverySettings } from "./settings.ts";
import type { Slots } from "./slots.ts";

type ClaimerDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<
    DeliveryQueue,
    "claimDeliveries" | "listHeldChannels" | "releaseChannels" | "closeDrafts" | "transaction"
  >;
  resolveEndpoint: ResolveEndpoint;
  settings: DeliverySettings;
  slots: Slots;
  pacer: Pacer;
  onBatch: (batch: ClaimedBatch) => void;
  /** Something may be claimed that could not be before. */
  onChange: () => void;
};

const channelsMax = 256;
const runMax = 16;
// A larger answer takes so long to read that the claim is old before it is used.
const bytesMax = 2 * 1_048_576;
/** When the queue is asked again about a channel that was just leased, together with others. */
const checkMs = 20;
/** How long a channel without work stays leased, so that a busy one is not leased again for each event. */
const idleMs = 1_000;

type Chosen = { channel: HeldChannel; slotCount: number; countMax: number };

export class Claimer {
  readonly #deps: ClaimerDeps;
  /** In the order in which something was last claimed for them. */
  readonly #channels = new Map<string, HeldChannel>();
  /** Channels that are given back here, but not yet in the database. */
  readonly #unreleasedIds = new Set<string>();
  /** Deliveries that ended while a claim was under way: its answer may still have them. */
  readonly #endedIds = new Set<string>();
  /** Channels may be held that are not known here: the answer to a claim was lost. */
  #mayHoldUnknown = false;
  #mayHaveMore = false;

  constructor(deps: ClaimerDeps) {
    this.#deps = deps;
  }

  /** Whether another claim could find something without a new signal. */
  get isUseful(): boolean {
    const now = this.#deps.clock.now();
    for (const channel of this.#channels.values()) channel.wakeAt(now);
    if (this.#deps.slots.free <= 0) return false;
    return this.#mayHaveMore || this.#listWanting().length > 0;
  }

  /** How long until a held channel is due by itself, at most `maxMs`. */
  waitMs(maxMs: number): number {
    const now = this.#deps.clock.now();
    const waits = [...this.#channels.values()].map((channel) => channel.dueInMs(now));
    return Math.max(
      1,
      waits.reduce((least, one) => Math.min(least, one), maxMs),
    );
  }

  /** The next claim looks for channels that are held without being known here. */
  expectUnknown(): void {
    this.#mayHoldUnknown = true;
  }

  /** The outcome is saved. After a failure the next claim finds out when the retry is due. */
  noteSaved({ attempt, channel }: Outcome): void {
    this.#endedIds.add(attempt.deliveryId);
    if (attempt.outcome.kind === "delivered") channel.end(attempt.deliveryId);
    else channel.giveBack(attempt.deliveryId);
  }

  /** One claim. */
  async claim(workerId: number): Promise<void> {
    const { clock, queue, settings, slots } = this.#deps;
    await this.#findUnknown(workerId);
    const now = clock.now();
    const chosen = this.#choose();
    const slotsLeft = chosen.reduce((left, { slotCount }) => left - slotCount, slots.free);
    const answeringMax = Math.min(channelsMax, slotsLeft);
    const failingMax = Math.min(answeringMax, slots.freeTroubled);
    const claimedAt = markMoment();
    this.#endedIds.clear();
    for (const { channel, countMax } of chosen) {
      channel.beginClaim();
      if (countMax === 0) continue;
      this.#channels.delete(channel.id);
      this.#channels.set(channel.id, channel);
    }
    try {
      const answer = await queue.claimDeliveries({
        workerId,
        now,
        held: chosen.map(({ channel, countMax }) => ({
          channelId: channel.id,
          countMax,
          busyIds: [...channel.busyIds],
        })),
        answeringMax,
        failingMax,
        fullHosts: slots.fullHosts(),
        perChannelMax: settings.perChannelMax,
        countMax: chosen.reduce((sum, { countMax }) => sum + countMax, slotsLeft),
        bytesMax,
      });
      this.#apply(answer, { workerId, claimedAt, chosen });
      const leasedCount = answer.filter(({ isLeased }) => isLeased).length;
      this.#mayHaveMore = leasedCount > 0 && leasedCount >= failingMax;
    } catch (error) {
      this.#mayHoldUnknown = true;
      for (const { channel } of chosen) channel.endClaim({ hasMore: true, nextDueAt: null });
      throw error;
    }
  }

  lose(channel: HeldChannel): void {
    channel.lose();
    if (this.#channels.get(channel.id) === channel) this.#channels.delete(channel.id);
  }

  loseAll(): void {
    this.#unreleasedIds.clear();
    for (const channel of this.#channels.values()) this.lose(channel);
  }

  /** Gives channels back that have been idle for a while, or all of them, and those that could not be before. */
  async release(workerId: number, { isClosing }: { isClosing: boolean }): Promise<void> {
    for (const channel of this.#channels.values()) {
      if (!channel.isIdleFor(idleMs) && !isClosing) continue;
      this.lose(channel);
      this.#unreleasedIds.add(channel.id);
    }
    if (this.#unreleasedIds.size === 0) return;
    const channelIds = [...this.#unreleasedIds];
    const released = await this.#deps.queue.releaseChannels({ workerId, channelIds });
    for (const id of released) this.#unreleasedIds.delete(id);
  }

  /** Channels that this process holds without knowing are given back. */
  async #findUnknown(workerId: number): Promise<void> {
    if (!this.#mayHoldUnknown) return;
    for (const id of await this.#deps.queue.listHeldChannels(workerId)) {
      if (!this.#channels.has(id)) this.#unreleasedIds.add(id);
    }
    this.#mayHoldUnknown = false;
  }

  #slotsOf(channel: HeldChannel): number {
    const { inFlightMax, perChannelMax, probeAfter, slowMs } = this.#deps.settings;
    const { endpoint, health, isHealthChanged, answersInMs, slotCount } = channel;
    // After a failure nothing is sent until it is saved: several timeouts at once count before the next attempt.
    if (isHealthChanged) return 0;
    const isProven = answersInMs !== null && answersInMs < slowMs;
    const isRoomy = this.#deps.slots.count < inFlightMax / 2;
    const isAlone =
      health.timeoutCount >= probeAfter || endpoint.pace !== null || !(isProven || isRoomy);
    const free = (isAlone ? 1 : perChannelMax) - slotCount;
    return Math.max(0, Math.min(free, this.#deps.slots.freeFor(channel)));
  }

  /** Held channels that a claim could be for. */
  #listWanting(): HeldChannel[] {
    // A channel that another transaction has locked, so that its outcomes can't be saved, gets hardly anything more.
    const busyMax = runMax * this.#deps.settings.perChannelMax;
    return [...this.#channels.values()].filter(
      (channel) =>
        channel.state.kind === "due" &&
        channel.busyIds.size < busyMax &&
        this.#slotsOf(channel) > 0,
    );
  }

  #choose(): Chosen[] {
    const { pacer, slots } = this.#deps;
    const chosen: Chosen[] = [];
    let left = slots.free;
    const hosts = new Map<string, number>();
    const destinations = new Set<string>();
    for (const channel of this.#listWanting()) {
      if (left <= 0 || chosen.length >= channelsMax) break;
      const { pace } = channel.endpoint;
      // Ask about it anyway: its destination may have changed.
      if (pacer.waitMs(pace) > 0) {
        chosen.push({ channel, slotCount: 0, countMax: 0 });
        continue;
      }
      // One of the channels with this destination: the others are before it in the next turn.
      if (pace && destinations.has(pace.key)) continue;
      if (pace) destinations.add(pace.key);
      const atHost = hosts.get(channel.host) ?? 0;
      const freeAtHost = slots.freeAt(channel.host) - atHost;
      const slotCount = Math.min(left, this.#slotsOf(channel), freeAtHost);
      if (slotCount <= 0) continue;
      hosts.set(channel.host, atHost + slotCount);
      left -= slotCount;
      chosen.push({ channel, slotCount, countMax: slotCount * runOf(channel) });
    }
    return chosen;
  }

  #apply(
    answer: readonly ClaimedChannel[],
    source: { workerId: number; claimedAt: Moment; chosen: readonly Chosen[] },
  ): void {
    for (const claimed of answer) this.#applyOne(claimed, source);
    const answeredIds = new Set(answer.map(({ channelId }) => channelId));
    for (const { channel } of source.chosen) if (!answeredIds.has(channel.id)) this.lose(channel);
  }

  #applyOne(
    claimed: ClaimedChannel,
    { workerId, claimedAt }: { workerId: number; claimedAt: Moment },
  ): void {
    const channel = this.#take(claimed, workerId);
    const isNew = ({ id }: DueDelivery): boolean =>
      !(channel.busyIds.has(id) || this.#endedIds.has(id));
    const deliveries = claimed.deliveries.filter(isNew);
    // If the answer repeats deliveries of another claim, there may be more than it lists.
    const isPartial = deliveries.length < claimed.deliveries.length;
    const unready = deliveries.filter(({ isDraft, isWanted }) => isDraft || !isWanted);
    const hasUnwanted = unready.some(({ isWanted }) => !isWanted);
    // Once the event of a review is cancelled, edits of it are not wanted either: the claim after that knows.
    const isCancelling = hasUnwanted || channel.isCancelling;
    const sendable = deliveries.filter(
      ({ event, isDraft, isWanted }) =>
        isWanted && !isDraft && !(isCancelling && event === "review.updated"),
    );
    const { pace } = channel.endpoint;
    const heldOffMs = this.#deps.pacer.waitMs(pace);
    const slotCountMax = heldOffMs > 0 ? 0 : this.#slotsOf(channel);
    const countMax = pace ? Math.min(1, slotCountMax) : sendable.length;
    const waiting = slotCountMax > 0 ? sendable.slice(0, countMax) : [];
    const hasMore = claimed.hasMore || waiting.length < sendable.length || isPartial;
    const { isLeased, nextDueAt } = claimed;
    if (heldOffMs > 0) {
      const checkInMs = Math.min(heldOffMs, this.#deps.settings.pollMs);
      channel.endClaim({ hasMore: false, nextDueAt: null, checkInMs });
    } else channel.endClaim({ hasMore, nextDueAt, ...(isLeased ? { checkInMs: checkMs } : {}) });
    for (const { id } of [...unready, ...waiting]) channel.hold(id);
    if (hasUnwanted) channel.beginCancelling();
    if (unready.length > 0)
      void this.#closeOrCancel(channel, { unready, version: claimed.version });
    if (waiting.length > 0) this.#deps.onBatch({ channel, claimedAt, waiting, slotCountMax });
  }

  #take(claimed: ClaimedChannel, workerId: number): HeldChannel {
    const { channelId, version } = claimed;
    this.#unreleasedIds.delete(channelId);
    const known = this.#channels.get(channelId);
    if (known?.workerId === workerId) {
      if (known.version !== version) known.renew(claimed, this.#deps.resolveEndpoint(claimed));
      return known;
    }
    const channel = new HeldChannel(workerId, claimed, this.#deps.resolveEndpoint(claimed));
    this.#channels.set(channelId, channel);
    return channel;
  }

  /** Drafts that came due are drafts no more; deliveries that the channel does not want any more are cancelled. */
  async #closeOrCancel(
    channel: HeldChannel,
    { unready, version }: { unready: readonly DueDelivery[]; version: number },
  ): Promise<void> {
    const { clock, log, onChange, queue } = this.#deps;
    try {
      const drafts = unready.filter(({ isDraft }) => isDraft);
      if (drafts.length > 0) await queue.closeDrafts(drafts);
      const unwantedIds = unready.filter(({ isWanted }) => !isWanted).map(({ id }) => id);
      const cancel = { channelId: channel.id, version, now: clock.now(), unwantedIds };
      if (unwantedIds.length > 0) await queue.transaction((tx) => tx.cancelClaimed(cancel));
    } catch (error) {
      log.warn({ reason: String(error), channelId: channel.id }, "deliveries can't be cancelled");
    }
    if (unready.some(({ isWanted }) => !isWanted)) channel.endCancelling();
    for (const { id } of unready) channel.giveBack(id);
    onChange();
  }
}

/** How many deliveries a slot gets with one claim: those that it probably sends while the claim is recent. */
function runOf({ answersInMs, endpoint }: HeldChannel): number {
  if (answersInMs === null || endpoint.pace !== null) return 1;
  const fitting = Math.floor(recentMs / 2 / Math.max(1, answersInMs));
  return Math.min(runMax, Math.max(1, fitting));
}
