// Recent answers of a store, so that many feeds of one app need not ask for it again. Bounded; the
// oldest is forgotten first.

import { keepRecent } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";

export class RecentResults<T> {
  readonly #clock: Clock;
  readonly #countMax: number;
  readonly #results = new Map<string, { value: T; atMs: number }>();

  constructor(clock: Clock, { countMax }: { countMax: number }) {
    this.#clock = clock;
    this.#countMax = countMax;
  }

  /** null when it is not known, or older than that. A result of the future is from a clock that was wrong. */
  find(key: string, maxAgeMs: number): T | null {
    const result = this.#results.get(key);
    if (!result) return null;
    const ageMs = this.#clock.now().getTime() - result.atMs;
    return ageMs >= 0 && ageMs <= maxAgeMs ? result.value : null;
  }

  save(key: string, value: T): void {
    const result = { value, atMs: this.#clock.now().getTime() };
    keepRecent(this.#results, { key, value: result, countMax: this.#countMax });
  }
}
