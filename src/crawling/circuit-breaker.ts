// Circuit breakers: after a row of block-like answers a host is left alone, an hour first and then twice
// as long each time, up to a day. One good answer and all is forgotten.
import type { Clock } from "../lib/clock.ts";
import { hourMs } from "../lib/timestamp.ts";

type Trouble = {
  /** Block-like answers in a row. */
  blockCount: number;
  restCount: number;
  restsUntilMs: number;
};

// Five block-like answers in a row are no accident.
const blockCountMax = 5;
const restMs = hourMs;
const restMaxMs = 24 * hourMs;

export class Breakers {
  readonly #clock: Clock;
  /** Only what is in trouble is remembered, so there are never more than blocked hosts. */
  readonly #troubles = new Map<string, Trouble>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  addBlock(name: string): void {
    const trouble = this.#troubles.get(name) ?? { blockCount: 0, restCount: 0, restsUntilMs: 0 };
    this.#troubles.set(name, trouble);
    trouble.blockCount += 1;
    if (trouble.blockCount < blockCountMax) return;
    const rest = Math.min(restMs * 2 ** trouble.restCount, restMaxMs);
    trouble.blockCount = 0;
    trouble.restCount += 1;
    trouble.restsUntilMs = this.#clock.now().getTime() + rest;
  }

  forgetBlocks(name: string): void {
    this.#troubles.delete(name);
  }

  /** null: it may be asked. */
  restsUntil(name: string): Date | null {
    const untilMs = this.#troubles.get(name)?.restsUntilMs ?? 0;
    return this.#clock.now().getTime() < untilMs ? new Date(untilMs) : null;
  }
}
