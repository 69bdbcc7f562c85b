// Circuit breakers, one for each host or account: after five blocks in a row a breaker is open and no
// request is sent for an hour, then twice as long each time, up to a day. One good response resets it.
import type { Clock } from "../lib/clock.ts";
import { hourMs } from "../lib/timestamp.ts";

type HostState = {
  /** Blocks in a row. */
  blockCount: number;
  /** How often the breaker opened since the last good response. */
  openCount: number;
  openUntilMs: number;
};

// Five blocks in a row are no accident.
const blockCountMax = 5;
const openMs = hourMs;
const openMaxMs = 24 * hourMs;

export class CircuitBreakers {
  readonly #clock: Clock;
  /** Holds hosts with blocks only, so there are never more entries than blocked hosts. */
  readonly #states = new Map<string, HostState>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  recordBlock(name: string): void {
    const state = this.#states.get(name) ?? { blockCount: 0, openCount: 0, openUntilMs: 0 };
    this.#states.set(name, state);
    state.blockCount += 1;
    if (state.blockCount < blockCountMax) return;
    const durationMs = Math.min(openMs * 2 ** state.openCount, openMaxMs);
    state.blockCount = 0;
    state.openCount += 1;
    state.openUntilMs = this.#clock.now().getTime() + durationMs;
  }

  reset(name: string): void {
    this.#states.delete(name);
  }

  openCount(): number {
    const now = this.#clock.now().getTime();
    return [...this.#states.values()].filter(({ openUntilMs }) => now < openUntilMs).length;
  }

  /** null: closed, or half open: the next request decides. */
  openUntil(name: string): Date | null {
    const untilMs = this.#states.get(name)?.openUntilMs ?? 0;
    return this.#clock.now().getTime() < untilMs ? new Date(untilMs) : null;
  }
}
