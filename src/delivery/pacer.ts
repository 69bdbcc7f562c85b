// Keeps the pace that a destination allows: one message in an interval, and none while it asked for patience.
// Whoever may not send yet is remembered and called once it may, so that nobody has to look again and again.
import { monotonicMs } from "../lib/clock.ts";
import type { Pace } from "./resolved-endpoint.ts";

export type PacedOwner = { endpoint: { pace: Pace | null } };

type Destination<Owner> = {
  freeAtMs: number;
  waiting: Set<Owner>;
  timer: NodeJS.Timeout | null;
};

// The longest that a timer of Node can wait is 24 days; a service's hint is never near it.
const holdOffMaxMs = 6 * 3_600_000;

export class Pacer<Owner extends PacedOwner> {
  readonly #destinations = new Map<string, Destination<Owner>>();
  readonly #onFree: (owner: Owner) => void;

  constructor(onFree: (owner: Owner) => void) {
    this.#onFree = onFree;
  }

  /** Whether the owner may send now; if not, `onFree` is called once it may. */
  mayStart(owner: Owner): boolean {
    const { pace } = owner.endpoint;
    const destination = pace && this.#destinations.get(pace.key);
    if (!destination || destination.freeAtMs <= monotonicMs()) return true;
    destination.waiting.add(owner);
    return false;
  }

  /** The owner sends now. */
  start({ endpoint: { pace } }: Owner): void {
    if (pace) this.#holdOff(pace, pace.intervalMs);
  }

  /** Nothing goes to the owner's destination for so long. */
  holdOff({ endpoint: { pace } }: Owner, durationMs: number): void {
    if (pace) this.#holdOff(pace, Math.min(durationMs, holdOffMaxMs));
  }

  close(): void {
    for (const { timer } of this.#destinations.values()) if (timer) clearTimeout(timer);
    this.#destinations.clear();
  }

  #holdOff({ key }: Pace, durationMs: number): void {
    const known = this.#destinations.get(key);
    const destination = known ?? { freeAtMs: 0, waiting: new Set(), timer: null };
    this.#destinations.set(key, destination);
    destination.freeAtMs = Math.max(destination.freeAtMs, monotonicMs() + durationMs);
    if (destination.timer === null) this.#wait(key, destination);
  }

  #wait(key: string, destination: Destination<Owner>): void {
    const waitMs = Math.ceil(Math.max(0, destination.freeAtMs - monotonicMs()));
    destination.timer = setTimeout(() => {
      destination.timer = null;
      // It was held off further meanwhile.
      if (destination.freeAtMs > monotonicMs()) return this.#wait(key, destination);
      this.#destinations.delete(key);
      for (const owner of destination.waiting) this.#onFree(owner);
    }, waitMs);
  }
}
