// A channel that this process holds: its state, which says what may happen next, its endpoint as of the latest claim,
// and the deliveries that are claimed and not saved. All of it may be thrown away at any moment: the queue in the
// database is the truth. README.md lists the transitions.
import type {
  ChannelHealth,
  ClaimedChannel,
  FinishedAttempt,
} from "../../domain/channel/delivery.ts";
import { type Moment, monotonicMs, readAgeMs } from "../../lib/clock.ts";
import type { ResolvedEndpoint } from "../send/endpoint.ts";

/** Times are of the monotonic clock. */
type ChannelState =
  /** Deliveries may be due: the next claim asks. */
  | { kind: "due" }
  /** A claim that asks about it is under way. */
  | { kind: "claiming" }
  /** No known delivery is due before `dueAt`. At `checkAtMs` the queue is asked anyway. */
  | { kind: "waiting"; sinceMs: number; dueAt: Date | null; checkAtMs: number }
  /** Not held any more: given back, deleted, or taken over by another process. */
  | { kind: "lost" };

/** A claim is used for that long, so that a changed secret, URL or filter counts from then on. */
export const recentMs = 100;
/** An endpoint whose connections always take longer gets up to this many times as long. */
const patienceMax = 64;
/** With each attempt. Slow: on a busy machine or a slow database, claims would be too old again and again. */
const patienceDecay = 0.9;

export class HeldChannel {
  readonly id: string;
  readonly workerId: number;
  version: number;
  endpoint: ResolvedEndpoint;
  health: ChannelHealth;
  /** Whether the health has to be saved. */
  isHealthChanged = false;
  slotCount = 0;
  /** How long an attempt usually takes; null before the first. */
  answersInMs: number | null = null;
  #state: ChannelState = { kind: "claiming" };
  /** Grows while claims are too old before they are used. */
  #patience = 1;
  #cancellingCount = 0;
  readonly #busyIds = new Set<string>();
  /** Deliveries that are sent again at once, which happens to each only once. */
  readonly #repeatIds = new Set<string>();

  constructor(workerId: number, claimed: ClaimedChannel, endpoint: ResolvedEndpoint) {
    this.id = claimed.channelId;
    this.workerId = workerId;
    this.version = claimed.version;
    this.endpoint = endpoint;
    this.health = healthOf(claimed);
  }

  /** The channel was changed. Failures that were not saved because of that are forgotten. */
  renew(claimed: ClaimedChannel, endpoint: ResolvedEndpoint): void {
    this.version = claimed.version;
    this.endpoint = endpoint;
    this.health = healthOf(claimed);
    this.isHealthChanged = false;
  }

  get state(): ChannelState {
    return this.#state;
  }

  get host(): string {
    return this.endpoint.host;
  }

  get isFailing(): boolean {
    return this.health.failingSince !== null;
  }

  get isLost(): boolean {
    return this.#state.kind === "lost";
  }

  /** Whether deliveries that the channel does not want any more are being cancelled. */
  get isCancelling(): boolean {
    return this.#cancellingCount > 0;
  }

  beginCancelling(): void {
    this.#cancellingCount += 1;
  }

  endCancelling(): void {
    this.#cancellingCount -= 1;
  }

  /** Claimed, in flight, or with an outcome that is not saved. */
  get busyIds(): ReadonlySet<string> {
    return this.#busyIds;
  }

  /** Whether it has been idle for that long. */
  isIdleFor(durationMs: number): boolean {
    const state = this.#state;
    if (state.kind !== "waiting" || state.checkAtMs < Number.POSITIVE_INFINITY) return false;
    if (this.#busyIds.size > 0 || this.isHealthChanged) return false;
    return monotonicMs() - state.sinceMs >= durationMs;
  }

  beginClaim(): void {
    if (!this.isLost) this.#state = { kind: "claiming" };
  }

  /** Ends the claim: more may be due, or nothing before `nextDueAt`. After `checkInMs` the queue is asked anyway. */
  endClaim(answer: { hasMore: boolean; nextDueAt: Date | null; checkInMs?: number }): void {
    if (this.isLost) return;
    const { hasMore, nextDueAt: dueAt, checkInMs = Number.POSITIVE_INFINITY } = answer;
    const sinceMs = monotonicMs();
    if (hasMore) this.#state = { kind: "due" };
    // It may have become due while the claim was under way.
    else if (this.#state.kind !== "due")
      this.#state = { kind: "waiting", sinceMs, dueAt, checkAtMs: sinceMs + checkInMs };
  }

  /** Until it becomes due by itself. */
  dueInMs(now: Date): number {
    const state = this.#state;
    if (state.kind !== "waiting") return Number.POSITIVE_INFINITY;
    const dueInMs = (state.dueAt?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime();
    return Math.min(dueInMs, state.checkAtMs - monotonicMs());
  }

  /** Becomes due with its next delivery, or when it is time to ask anyway. */
  wakeAt(now: Date): void {
    if (this.dueInMs(now) <= 0) this.#state = { kind: "due" };
  }

  /** Whether what was claimed then may be used. */
  isRecent(claimedAt: Moment): boolean {
    return readAgeMs(claimedAt) <= recentMs * this.#patience;
  }

  /** A claim was too old before anything of it was sent. Returns whether the next one is good for longer. */
  noteStale(): boolean {
    const isAtMost = this.#patience === patienceMax;
    this.#patience = Math.min(patienceMax, 2 * this.#patience);
    return !isAtMost;
  }

  hold(deliveryId: string): void {
    this.#busyIds.add(deliveryId);
  }

  /** The delivery has ended, and its outcome is saved. */
  end(deliveryId: string): void {
    this.#busyIds.delete(deliveryId);
  }

  /** Back to the queue: the next claim finds out when the delivery is due. */
  giveBack(deliveryId: string): void {
    this.#busyIds.delete(deliveryId);
    if (!this.isLost) this.#state = { kind: "due" };
  }

  noteAttempt(attempt: FinishedAttempt): void {
    const { durationMs } = attempt;
    const usualMs = this.answersInMs ?? durationMs;
    // Quick to grow: deliveries that were claimed and not sent are claimed again.
    this.answersInMs = usualMs + (durationMs - usualMs) / (durationMs > usualMs ? 4 : 16);
    this.#patience = Math.max(1, patienceDecay * this.#patience);
    const next = healthAfter(this.health, attempt);
    if (next === this.health) return;
    this.health = next;
    this.isHealthChanged = true;
  }

  /** The connection ended before the delivery was read: says nothing about the endpoint's health. */
  noteUnread(deliveryId: string): void {
    this.#repeatIds.add(deliveryId);
  }

  /** Whether this attempt repeats one that was not read. */
  takeRepeat(deliveryId: string): boolean {
    return this.#repeatIds.delete(deliveryId);
  }

  lose(): void {
    this.#state = { kind: "lost" };
  }
}

function healthOf(claimed: ClaimedChannel): ChannelHealth {
  const { channelId, failingSince, failingReason, timeoutCount } = claimed;
  return { channelId, failingSince, failingReason, timeoutCount };
}

/** The same object when nothing changed. */
function healthAfter(
  health: ChannelHealth,
  { outcome, reason, startedAt, isTimeout }: FinishedAttempt,
): ChannelHealth {
  const { channelId, failingSince, failingReason, timeoutCount } = health;
  if (outcome.kind === "delivered") {
    if (failingSince === null && failingReason === null && timeoutCount === 0) return health;
    return { channelId, failingSince: null, failingReason: null, timeoutCount: 0 };
  }
  const timeouts = isTimeout ? timeoutCount + 1 : 0;
  if (failingSince !== null && failingReason === reason && timeoutCount === timeouts) return health;
  const since = failingSince ?? startedAt;
  return { channelId, failingSince: since, failingReason: reason, timeoutCount: timeouts };
}
