// The pace of destinations: one message in an interval, and none while the service asked for patience.
import { monotonicMs } from "../../lib/clock.ts";
import { hourMs } from "../../lib/timestamp.ts";
import type { Pace } from "../send/endpoint.ts";

const holdOffMsMax = 6 * hourMs;

export class Pacer {
  readonly #freeAtMs = new Map<string, number>();

  /** How long nothing may be sent to the destination. */
  waitMs(pace: Pace | null): number {
    if (pace === null) return 0;
    const leftMs = (this.#freeAtMs.get(pace.key) ?? 0) - monotonicMs();
    if (leftMs > 0) return leftMs;
    this.#freeAtMs.delete(pace.key);
    return 0;
  }

  /** Something is sent to the destination now, or it asked for patience: nothing more is sent for that long. */
  holdOff(pace: Pace | null, durationMs = pace?.intervalMs ?? 0): void {
    if (pace === null || durationMs <= this.waitMs(pace)) return;
    this.#freeAtMs.set(pace.key, monotonicMs() + Math.min(durationMs, holdOffMsMax));
  }
}
