// How old a claim may be when its deliveries are signed: its age counts from before the question was sent.
import { type Moment, readAgeMs } from "../../lib/clock.ts";

/** On a quick database. On a slow one twice its usual round trip, or no answer could ever be used. */
const recentMsMin = 100;
const recentMsMax = 2_000;
/** From signing to the first byte on an open connection. */
const wireMs = 25;
/** After this many tries the limit grows no more: connections to this endpoint are always slow. */
const staleCountMax = 6;

export class ClaimAge {
  #usualMs = 1;

  get recentMs(): number {
    return Math.min(recentMsMax, Math.max(recentMsMin, 2 * this.#usualMs));
  }

  noteRoundTrip(durationMs: number): void {
    // A single long one says that this process stood still, not that the database is slow.
    const counted = Math.min(durationMs, 4 * this.#usualMs + 1);
    this.#usualMs += (counted - this.#usualMs) / 4;
  }

  isRecent(claimedAt: Moment): boolean {
    return readAgeMs(claimedAt) <= this.recentMs;
  }

  /** Whether the bytes may leave, asked once the connection is there; longer each time that they may not. */
  isRecentOnWire(claimedAt: Moment, staleCount: number): boolean {
    const factor = 2 ** Math.min(staleCount, staleCountMax);
    return readAgeMs(claimedAt) <= (this.recentMs + wireMs) * factor;
  }
}
