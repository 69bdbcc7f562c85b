// Circuit breakers: while one is open no request is sent, twice as long each time. One good response resets it. An app has
// a breaker for each kind of request to a host, or to an account there; the host has one that opens only when several
// different apps failed, so that one app does not stop others. Their state is in the database: all processes share it,
// and a restart keeps it.
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { hourMs, minuteMs } from "../lib/timestamp.ts";

export type BreakerRepository = Pick<
  Database,
  "findOpenBreaker" | "recordStoreFailure" | "resetBreakers"
>;

/**
 * A store that blocks means it; one that hangs may be back in minutes. Five blocks in a row are not an accident, and
 * one time-out of an app is enough: all others wait for it.
 */
const failures = {
  block: { openMs: hourMs, openMsMax: 24 * hourMs, ofAppMax: 5 },
  timeout: { openMs: 5 * minuteMs, openMsMax: hourMs, ofAppMax: 1 },
};
export type FailureKind = keyof typeof failures;

const ofHostMax = 5;
/** A single app may be refused by itself. */
const appCountMin = 3;

/** `app`: null for requests of no app, which count for the host alone. */
export type BreakerKey = { host: string; kind: string; account: string; app: string | null };

export class CircuitBreakers {
  readonly #clock: Clock;
  readonly #breakers: BreakerRepository;

  constructor(deps: { clock: Clock; breakers: BreakerRepository }) {
    this.#clock = deps.clock;
    this.#breakers = deps.breakers;
  }

  async recordFailure(
    key: BreakerKey,
    failure: { kind: FailureKind; cause: string },
  ): Promise<void> {
    const { ofAppMax, ...times } = failures[failure.kind];
    const common = { ...times, now: this.#clock.now(), appCountMin };
    const { app } = key;
    const cause = app === null ? failure.cause : `app ${app}: ${failure.cause}`;
    const [ofHost = "", ofApp] = namesOf(key);
    await this.#breakers.recordStoreFailure({
      ...{ ...common, name: ofHost, app, cause },
      failureCountMax: ofHostMax,
    });
    if (ofApp === undefined) return;
    await this.#breakers.recordStoreFailure({
      ...{ ...common, name: ofApp, app: null, cause },
      failureCountMax: ofAppMax,
    });
  }

  reset(key: BreakerKey): Promise<void> {
    return this.#breakers.resetBreakers(namesOf(key));
  }

  /** null: closed, or half-open: the next request decides. */
  findOpen(key: BreakerKey): ReturnType<BreakerRepository["findOpenBreaker"]> {
    return this.#breakers.findOpenBreaker({ names: namesOf(key), now: this.#clock.now() });
  }
}

/** The breaker of the host, then that of the app. */
function namesOf({ host, kind, account, app }: BreakerKey): string[] {
  const ofHost = [host, kind, account].join(" ").trimEnd();
  return app === null ? [ofHost] : [ofHost, `${ofHost} app:${app}`];
}
