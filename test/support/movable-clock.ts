// A clock that stands still until it is moved.
import type { Clock } from "../../src/lib/clock.ts";

export class MovableClock implements Clock {
  #at: number;

  constructor(start: Date) {
    this.#at = start.getTime();
  }

  now(): Date {
    return new Date(this.#at);
  }

  set(moment: Date): void {
    this.#at = moment.getTime();
  }

  advance(durationMs: number): void {
    this.#at += durationMs;
  }
}
