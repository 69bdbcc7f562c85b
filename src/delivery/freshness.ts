// How long data that was read about a channel may be used. Its age counts from when the query was sent, so after a
// pause of the process all of it is too old.

import { monotonicMs } from "../lib/clock.ts";

/** On a quick database. On a slow one twice its usual round trip, or no answer could ever be used. */
const freshMsMin = 25;
const freshMsMax = 2_000;
/** From signing to the first byte on an open connection. */
const wireMs = 25;
/** After so many tries the limit grows no more: connections to this endpoint are always slow. */
const againMax = 6;

export class Freshness {
  #usualMs = 1;
  readonly #againCounts = new Map<string, number>();

  noteRoundTrip(durationMs: number): void {
    // A single long one says that this process stood still, not that the database is slow.
    const counted = Math.min(durationMs, 4 * this.#usualMs + 1);
    this.#usualMs += (counted - this.#usualMs) / 8;
  }

  isFresh(askedAtMs: number, nowMs: number): boolean {
    return nowMs - askedAtMs <= this.#freshMs;
  }

  /** Soon it is not fresh any more: time to ask again. */
  isAging(askedAtMs: number, nowMs: number): boolean {
    return nowMs - askedAtMs > this.#freshMs / 2;
  }

  /**
   * Tells, once the connection of a request is there, whether what it was signed with may still be sent. Each
   * time that it may not, the next is given longer.
   */
  forWire(askedAtMs: number, deliveryId: string): () => boolean {
    return () => {
      const againCount = this.#againCounts.get(deliveryId) ?? 0;
      const ageMaxMs = (this.#freshMs + wireMs) * 2 ** againCount;
      if (monotonicMs() - askedAtMs <= ageMaxMs) return true;
      this.#againCounts.set(deliveryId, Math.min(againCount + 1, againMax));
      return false;
    };
  }

  forget(deliveryId: string): void {
    this.#againCounts.delete(deliveryId);
  }

  get #freshMs(): number {
    return Math.min(freshMsMax, Math.max(freshMsMin, 2 * this.#usualMs));
  }
}
