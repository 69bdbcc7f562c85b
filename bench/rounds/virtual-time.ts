// Time that passes only while all parties wait: three days of collecting in minutes. A moment lasts until no
// request and no statement is at work any more; then the clock goes on to whatever is waited for next.
import type { Clock } from "../../src/lib/clock.ts";
import type { Delay } from "../../src/lib/delay.ts";
import { MovableClock } from "../../test/support/movable-clock.ts";

export type VirtualTime = {
  clock: Clock;
  delay: Delay;
  /** Counts as work until it settles. */
  work<T>(working: Promise<T>): Promise<T>;
  /** The functions of an object, each of which counts as work. */
  watch<T extends object>(watched: T): T;
  /** Lets the time pass until that moment. */
  runUntil(end: Date): Promise<void>;
};

type Waiting = { atMs: number; finish: () => void };

export function createVirtualTime(start: Date): VirtualTime {
  const clock = new MovableClock(start);
  const waiting = new Set<Waiting>();
  let workCount = 0;
  let onQuiet = (): void => {};
  const delay: Delay = (durationMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wait = { atMs: clock.now().getTime() + durationMs, finish };
      waiting.add(wait);
      signal?.addEventListener("abort", finish, { once: true });
      function finish(): void {
        waiting.delete(wait);
        signal?.removeEventListener("abort", finish);
        resolve();
      }
    });
  async function work<T>(working: Promise<T>): Promise<T> {
    workCount += 1;
    try {
      return await working;
    } finally {
      workCount -= 1;
      if (workCount === 0) onQuiet();
    }
  }
  return {
    clock,
    delay,
    work,
    watch: <T extends object>(watched: T): T =>
      new Proxy(watched, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            const result: unknown = value.apply(target, args);
            return result instanceof Promise ? work(result) : result;
          };
        },
      }),
    async runUntil(end) {
      for (;;) {
        await quiet();
        const next = soonest(waiting);
        if (!next || next.atMs > end.getTime()) break;
        if (next.atMs > clock.now().getTime()) clock.set(new Date(next.atMs));
        next.finish();
      }
      clock.set(end);
    },
  };

  /** Two turns of the event loop in which nothing is at work. */
  async function quiet(): Promise<void> {
    for (let turnCount = 0; turnCount < 2; turnCount += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (workCount === 0) continue;
      turnCount = -1;
      await new Promise<void>((resolve) => {
        onQuiet = resolve;
      });
    }
  }
}

function soonest(waiting: ReadonlySet<Waiting>): Waiting | null {
  let first: Waiting | null = null;
  for (const wait of waiting) if (!first || wait.atMs < first.atMs) first = wait;
  return first;
}
