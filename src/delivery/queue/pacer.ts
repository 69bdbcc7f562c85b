// The pace of destinations: one message in an interval, and none while the service asked for patience.
import { monotonicMs } from "../../lib/clock.ts";
import type { Pace } from "../send/endpoint.ts";

// The longest that a timer of Node can wait is 24 days; a service's hint is never near it.
const holdOffMaxMs = 6 * 3_600_000;

export class Pacer {
  readonly #freeAtMs = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #onFree: () => void;

  /** @param onFree a destination may be sent to again */
  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  isFree(pace: Pace | null): boolean {
    return pace === null || (this.#freeAtMs.get(pace.key) ?? 0) <= monotonicMs();
  }

  /** Something is sent to the destination now. */
  start(pace: Pace | null): void {
    if (pace) this.holdOff(pace, pace.intervalMs);
  }

  /** Nothing is sent to the destination for that long. */
  holdOff(pace: Pace | null, durationMs: number): void {
    if (!pace) return;
    const { key } = pace;
    const freeAtMs = monotonicMs() + Math.min(durationMs, holdOffMaxMs);
    if (freeAtMs <= (this.#freeAtMs.get(key) ?? 0)) return;
    this.#freeAtMs.set(key, freeAtMs);
    this.#wait(key, freeAtMs);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #wait(key: string, freeAtMs: number): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        // It was held off further meanwhile, and has another timer.
        if (this.#freeAtMs.get(key) !== freeAtMs) return;
        // A timer may end a moment early.
        if (freeAtMs > monotonicMs()) return this.#wait(key, freeAtMs);
        this.#freeAtMs.delete(key);
        this.#onFree();
      },
      Math.ceil(Math.max(1, freeAtMs - monotonicMs())),
    );
    this.#timers.add(timer);
  }
}
