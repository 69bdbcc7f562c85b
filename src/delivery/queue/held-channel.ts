// A channel that this process holds: its state, which says what may happen next, its endpoint as of the latest claim,
// and the deliveries that are claimed and not saved. All of it may be thrown away at any moment: the queue in the
// database is the truth. README.md lists the transitions.
import type { ChannelHealth, ClaimedChannel, FinishedAttempt } from "../../domain/delivery.ts";
import { monotonicMs } from "../../lib/clock.ts";
import type { ResolvedEndpoint } from "../send/endpoint.ts";
import { healthAfter } from "./channel-health.ts";

export type ChannelState =
  /** Deliveries may be due: the next claim asks. */
  | { kind: "due" }
  /** A claim that asks about it is under way. */
  | { kind: "claiming" }
  /**
   * Nothing is due before that moment; null when nothing is known to come due. A claim that leased the channel may have
   * missed something: then it is due from that moment of the monotonic clock on.
   */
  | { kind: "waiting"; dueAt: Date | null; checkAtMs: number | null }
  /** A failed attempt or another change is not saved yet: nothing is sent until it is. */
  | { kind: "settling" }
  /** A row of it can't be read: nothing is sent until that moment of the monotonic clock. */
  | { kind: "aside"; untilMs: number }
  /** Held no more: given back, deleted, or taken over by another process. */
  | { kind: "lost" };

/** When a channel is asked about again after it was leased: others come together meanwhile. */
export const checkMs = 20;

export class HeldChannel {
  readonly id: string;
  readonly workerId: number;
  version = -1;
  endpoint: ResolvedEndpoint;
  health: ChannelHealth;
  isHealthChanged = false;
  slotCount = 0;
  /** How long the latest answer took; null before the first. */
  answeredInMs: number | null = null;
  /** How long a slot is usually busy with one delivery, until it is free for the next; null before the first. */
  servedInMs: number | null = null;
  /** How often in a row a connection took so long that the claim was too old when it was there. */
  staleCount = 0;
  askedAtMs = monotonicMs();
  idleSinceMs = monotonicMs();
  #state: ChannelState = { kind: "claiming" };
  readonly #busyIds = new Set<string>();
  readonly #unsettledIds = new Set<string>();

  constructor(workerId: number, claimed: ClaimedChannel, endpoint: ResolvedEndpoint) {
    const { channelId, failingSince, failingReason, timeoutCount, version } = claimed;
    this.id = channelId;
    this.workerId = workerId;
    this.version = version;
    this.endpoint = endpoint;
    this.health = { channelId, failingSince, failingReason, timeoutCount };
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

  /** Whether claimed deliveries may be sent. */
  get isOpen(): boolean {
    const { kind } = this.#state;
    return kind === "due" || kind === "claiming" || kind === "waiting";
  }

  /** Claimed, in flight, or with an outcome that is not saved. */
  get busyIds(): ReadonlySet<string> {
    return this.#busyIds;
  }

  get isIdle(): boolean {
    const state = this.#state;
    if (state.kind !== "waiting" || state.checkAtMs !== null) return false;
    return this.#busyIds.size === 0 && !this.isHealthChanged;
  }

  beginClaim(): void {
    this.askedAtMs = monotonicMs();
    if (this.isOpen) this.#state = { kind: "claiming" };
  }

  /** The answer is there: more may be due, or nothing before that moment. */
  endClaim(answer: { hasMore: boolean; nextDueAt: Date | null; isLeased?: boolean }): void {
    if (!this.isOpen) return;
    this.idleSinceMs = monotonicMs();
    if (answer.hasMore) this.#state = { kind: "due" };
    // It may have become due while the claim was under way.
    else if (this.#state.kind !== "due") {
      const checkAtMs = answer.isLeased ? monotonicMs() + checkMs : null;
      this.#state = { kind: "waiting", dueAt: answer.nextDueAt, checkAtMs };
    }
  }

  /** Deliveries may be due that were not before. */
  wake(): void {
    if (this.#state.kind === "waiting") this.#state = { kind: "due" };
  }

  /** Becomes due when its next delivery does, or when the time aside is over. */
  wakeAt(now: Date): void {
    const state = this.#state;
    if (state.kind === "waiting" && state.dueAt !== null && state.dueAt <= now) this.wake();
    if (state.kind === "waiting" && (state.checkAtMs ?? Infinity) <= monotonicMs()) this.wake();
    if (state.kind === "aside" && state.untilMs <= monotonicMs()) this.#state = { kind: "due" };
  }

  hold(deliveryId: string): void {
    this.#busyIds.add(deliveryId);
  }

  /** Back to the queue: it was not sent, or may be sent again. */
  giveBack(deliveryId: string): void {
    this.#busyIds.delete(deliveryId);
    this.idleSinceMs = monotonicMs();
    this.settle(deliveryId);
    if (this.#state.kind === "claiming") this.#state = { kind: "due" };
    this.wake();
  }

  noteAttempt(attempt: FinishedAttempt): void {
    this.answeredInMs = attempt.durationMs;
    this.staleCount = 0;
    if (attempt.outcome.kind !== "delivered") this.unsettle(attempt.deliveryId);
    const next = healthAfter(this.health, attempt);
    if (next === this.health) return;
    this.health = next;
    this.isHealthChanged = true;
  }

  noteServed(durationMs: number): void {
    const usualMs = this.servedInMs ?? durationMs;
    // Quick to grow: what was claimed in vain is claimed again.
    this.servedInMs = usualMs + (durationMs - usualMs) / (durationMs > usualMs ? 4 : 16);
  }

  /** After a failure the channel is due: the next claim finds out when the retry is. */
  noteSaved({ deliveryId }: FinishedAttempt): void {
    this.#busyIds.delete(deliveryId);
    this.idleSinceMs = monotonicMs();
    this.settle(deliveryId);
  }

  /** Nothing is sent until `settle` is called for the same change. */
  unsettle(change: string): void {
    this.#unsettledIds.add(change);
    if (this.isOpen) this.#state = { kind: "settling" };
  }

  settle(change: string): void {
    this.#unsettledIds.delete(change);
    if (this.#state.kind === "settling" && this.#unsettledIds.size === 0)
      this.#state = { kind: "due" };
  }

  setAside(untilMs: number, reason: string, now: Date): void {
    if (this.isLost) return;
    this.#state = { kind: "aside", untilMs };
    const { channelId, failingSince, timeoutCount } = this.health;
    const since = failingSince ?? now;
    this.health = { channelId, failingSince: since, failingReason: reason, timeoutCount };
    this.isHealthChanged = true;
  }

  lose(): void {
    this.#state = { kind: "lost" };
  }
}
