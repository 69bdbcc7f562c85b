// Circuit breakers, one for each kind of request to a host, or to an account there: after five failures in a
// row a breaker is open and no request is sent for a while, twice as long each time. One good response
// resets it. Their state is in the database, so that all processes share it and a restart keeps it.
import type { Clock } from "../lib/clock.ts";
import { hourMs, minuteMs } from "../lib/timestamp.ts";

export type BreakerRepository = {
  findBreakerOpenUntil(breaker: { name: string; now: Date }): Promise<Date | null>;
  recordStoreFailure(failure: {
    name: string;
    now: Date;
    failureCountMax: number;
    openMs: number;
    openMsMax: number;
  }): Promise<void>;
  resetBreaker(name: string): Promise<void>;
};

/** A store that blocks means it; one that hangs may be back in minutes. */
const failures = {
  block: { openMs: hourMs, openMsMax: 24 * hourMs },
  timeout: { openMs: 5 * minuteMs, openMsMax: hourMs },
};
export type FailureKind = keyof typeof failures;

// Five in a row are no accident.
const failureCountMax = 5;

export class CircuitBreakers {
  readonly #clock: Clock;
  readonly #breakers: BreakerRepository;

  constructor(deps: { clock: Clock; breakers: BreakerRepository }) {
    this.#clock = deps.clock;
    this.#breakers = deps.breakers;
  }

  recordFailure(name: string, kind: FailureKind): Promise<void> {
    const failure = { name, now: this.#clock.now(), failureCountMax };
    return this.#breakers.recordStoreFailure({ ...failure, ...failures[kind] });
  }

  reset(name: string): Promise<void> {
    return this.#breakers.resetBreaker(name);
  }

  /** null: closed, or half-open: the next request decides. */
  openUntil(name: string): Promise<Date | null> {
    return this.#breakers.findBreakerOpenUntil({ name, now: this.#clock.now() });
  }
}
