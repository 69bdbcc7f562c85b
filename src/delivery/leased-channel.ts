// One channel that this process delivers for: what was read ahead of it, what is in flight, how far its lines
// were read, and how it does. Whatever is known here may be thrown away at any moment: the queue in the
// database is the truth.

import type {
  ChannelHealth,
  ChannelLease,
  DueDelivery,
  DueLook,
  DueLookResult,
  FinishedAttempt,
  LanePosition,
} from "../domain/delivery.ts";
import { monotonicMs } from "../lib/clock.ts";
import { healthAfter } from "./channel-health.ts";
import { head, slightlyBefore } from "./lane-position.ts";
import type { ResolvedEndpoint } from "./resolved-endpoint.ts";

// A look at the whole line costs more the more of it was delivered a moment ago.
const wholeLookMs = 1_000;

export class LeasedChannel {
  readonly id: string;
  readonly workerId: number;
  version: number;
  endpoint: ResolvedEndpoint;
  health: ChannelHealth;
  isHealthChanged = false;
  /** On the monotonic clock: when the question was asked that found the version and the lease. */
  checkedAtMs: number;
  inFlightCount = 0;
  /** Slots that wait for a check of the channel, and how many deliveries went out in its turn. */
  reservedCount = 0;
  turnCount = 0;
  /** Whether deliveries may be due that were not read; when the next one comes due that was not due then. */
  hasMore = true;
  nextDueAt: Date | null = null;
  isLooking = false;
  /** This process does not hold it any more, or it is gone: nothing goes out for it. */
  isLost = false;
  idleSinceMs = 0;
  #lines = { fresh: [] as DueDelivery[], retries: [] as DueDelivery[] };
  /** Read and not yet saved as ended: waiting, in flight, or with an outcome that is being saved. */
  readonly #held = new Set<string>();
  /** Failed, and the outcome is not saved yet: until it is, nothing more goes out. */
  readonly #failed = new Set<string>();
  /** Ended while it was looked: what the look still found of them is over. */
  readonly #endedMeanwhile = new Set<string>();
  #dueMeanwhile: Date | null = null;
  /** When the last of them ended. */
  #endedAtMs = Number.NEGATIVE_INFINITY;
  #positions = { fresh: head, retries: head };
  #isRetryNext = false;
  /** What was read has to be read again from the head of both lines. */
  #isUnread = true;
  /** Something may stand in front of what was read. */
  #wantsWholeLook = false;
  #wholeLookAtMs = Number.NEGATIVE_INFINITY;
  #isDroppedMeanwhile = false;

  constructor(open: {
    lease: ChannelLease;
    workerId: number;
    endpoint: ResolvedEndpoint;
    checkedAtMs: number;
  }) {
    const { lease } = open;
    this.id = lease.channelId;
    this.workerId = open.workerId;
    this.version = lease.version;
    this.endpoint = open.endpoint;
    this.checkedAtMs = open.checkedAtMs;
    const { failingSince, failingReason, timeoutCount } = lease;
    this.health = { channelId: this.id, failingSince, failingReason, timeoutCount };
  }

  get host(): string {
    return this.endpoint.host;
  }

  get isFailing(): boolean {
    return this.health.failingSince !== null;
  }

  get waitingCount(): number {
    return this.#lines.fresh.length + this.#lines.retries.length;
  }

  /** Whether nothing is known that would have to be done. */
  get isIdle(): boolean {
    return this.#held.size === 0 && !this.hasMore && !this.isLooking && !this.#wantsWholeLook;
  }

  /** Something new was queued. */
  signal(): void {
    this.hasMore = true;
    this.#wantsWholeLook = true;
  }

  /** Whether the whole line has to be looked at, and may be. */
  isWholeLookDue(nowMs: number): boolean {
    return this.#wantsWholeLook && nowMs - this.#wholeLookAtMs >= wholeLookMs;
  }

  /**
   * Takes what came along with the lease, as the answer to a question that was asked then. Returns what can be sent.
   * Something that is at hand, or ended since, may be among it and would go out twice: then all of it is left to the
   * next look.
   */
  takeFirst(found: readonly DueDelivery[], askedAtMs: number): DueDelivery[] {
    if (this.#held.size > 0 || this.isLooking || this.#endedAtMs >= askedAtMs) return [];
    const first = found.filter(({ isDraft, isWanted }) => isWanted && !isDraft);
    for (const { id } of first) this.#held.add(id);
    this.#lines.fresh.push(...first);
    return first;
  }

  beginLook(look: { nowMs: number; countMax: number }): DueLook {
    this.isLooking = true;
    this.hasMore = false;
    this.#isDroppedMeanwhile = false;
    this.#endedMeanwhile.clear();
    this.#dueMeanwhile = null;
    const isWhole = this.#isUnread || this.isWholeLookDue(look.nowMs);
    if (isWhole) {
      this.#isUnread = false;
      this.#wantsWholeLook = false;
      this.#wholeLookAtMs = look.nowMs;
    }
    const from = (position: LanePosition): LanePosition => {
      if (isWhole) return head;
      return this.#wantsWholeLook ? slightlyBefore(position) : position;
    };
    const isAgain = isWhole || this.#wantsWholeLook;
    return {
      channelId: this.id,
      fresh: from(this.#positions.fresh),
      retries: from(this.#positions.retries),
      // What is held stands in front of what is looked for.
      countMax: look.countMax + (isAgain ? this.#held.size : 0),
    };
  }

  /** Takes what a look found. Returns what can't be sent as it is. */
  endLook(look: DueLook, result: DueLookResult): { added: DueDelivery[]; odd: DueDelivery[] } {
    this.isLooking = false;
    const added: DueDelivery[] = [];
    const odd: DueDelivery[] = [];
    // What was read before everything was dropped is read again.
    if (this.#isDroppedMeanwhile) {
      this.hasMore = true;
      return { added, odd };
    }
    this.nextDueAt = earlierOf(result.nextDueAt, this.#dueMeanwhile);
    for (const lane of ["fresh", "retries"] as const) {
      const found = result.deliveries.filter(({ isRetry }) => isRetry === (lane === "retries"));
      found.sort(byDueAt);
      const { dueAt, id } = found.at(-1) ?? look[lane];
      this.#positions[lane] = { dueAt, id };
      if (found.length >= look.countMax) this.hasMore = true;
      for (const delivery of found) {
        if (this.#held.has(delivery.id) || this.#endedMeanwhile.has(delivery.id)) continue;
        if (delivery.isDraft || !delivery.isWanted) odd.push(delivery);
        else {
          this.#held.add(delivery.id);
          this.#lines[lane].push(delivery);
          added.push(delivery);
        }
      }
    }
    return { added, odd };
  }

  /** The look broke off. */
  cancelLook(): void {
    this.isLooking = false;
    this.readAgain();
  }

  /** Both lines are served in turn: neither waits behind all of the other. */
  takeNext(): DueDelivery | undefined {
    const { fresh, retries } = this.#lines;
    const isRetry = retries.length > 0 && (this.#isRetryNext || fresh.length === 0);
    this.#isRetryNext = !isRetry;
    return (isRetry ? retries : fresh).shift();
  }

  /** It did not go out: it is the next. */
  returnWaiting(delivery: DueDelivery): void {
    this.#lines[delivery.isRetry ? "retries" : "fresh"].unshift(delivery);
  }

  /** What waits is read again before anything more goes out. Returns what was dropped. */
  dropWaiting(): DueDelivery[] {
    const dropped = [...this.#lines.fresh, ...this.#lines.retries];
    this.#lines = { fresh: [], retries: [] };
    for (const { id } of dropped) this.#held.delete(id);
    this.readAgain();
    return dropped;
  }

  /** From the head of both lines. */
  readAgain(): void {
    this.#isUnread = true;
    this.hasMore = true;
    if (this.isLooking) this.#isDroppedMeanwhile = true;
  }

  get isSettling(): boolean {
    return this.#failed.size > 0;
  }

  /** Its outcome is saved. */
  noteSaved({ deliveryId, outcome }: FinishedAttempt): void {
    this.forget(deliveryId);
    if (outcome.kind !== "retry") return;
    const { dueAt } = outcome;
    this.nextDueAt = earlierOf(this.nextDueAt, dueAt);
    if (this.isLooking) this.#dueMeanwhile = earlierOf(this.#dueMeanwhile, dueAt);
  }

  /** Its outcome is saved, or counts no more. */
  forget(deliveryId: string): void {
    this.#held.delete(deliveryId);
    this.#failed.delete(deliveryId);
    this.#endedAtMs = monotonicMs();
    if (this.isLooking) this.#endedMeanwhile.add(deliveryId);
  }

  noteHealth(attempt: FinishedAttempt): void {
    if (attempt.outcome.kind !== "delivered") this.#failed.add(attempt.deliveryId);
    const next = healthAfter(this.health, attempt);
    if (next === this.health) return;
    this.health = next;
    this.isHealthChanged = true;
  }
}

function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function byDueAt(one: DueDelivery, other: DueDelivery): number {
  return one.dueAt.getTime() - other.dueAt.getTime() || (one.id < other.id ? -1 : 1);
}
