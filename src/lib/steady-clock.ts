// A clock that a wrong time of a few minutes does not move: it runs by the monotonic clock from a first
// observation, and follows later ones only when they agree with each other for long enough.
import { type Clock, monotonicMs } from "./clock.ts";
import { minuteMs, secondMs } from "./timestamp.ts";

type SteadyClock = Clock & {
  /** Whether observations have agreed with this clock for minutes, and the latest one does. */
  isSettled(): boolean;
  /** A moment that a clock of the outside shows now. */
  observe(moment: Date): void;
};

// Clocks drift, and an observation takes its time.
const toleranceMs = secondMs;
// Time servers, people and restored machines mend a wrong clock within minutes.
const settleMs = 5 * minuteMs;

/** @param options.readMonotonicMs a clock that never jumps, in milliseconds */
export function createSteadyClock(
  start: Date,
  { readMonotonicMs = monotonicMs }: { readMonotonicMs?: () => number } = {},
): SteadyClock {
  let offsetMs = start.getTime() - readMonotonicMs();
  // A machine may have started with a wrong time.
  let agreedSinceMs = readMonotonicMs();
  let doubt: { offsetMs: number; sinceMs: number } | null = null;
  return {
    now: () => new Date(readMonotonicMs() + offsetMs),
    isSettled: () => doubt === null && readMonotonicMs() - agreedSinceMs >= settleMs,
    observe(moment) {
      const nowMs = readMonotonicMs();
      const seenMs = moment.getTime() - nowMs;
      if (Math.abs(seenMs - offsetMs) <= toleranceMs) {
        offsetMs = seenMs;
        doubt = null;
      } else if (!doubt || Math.abs(seenMs - doubt.offsetMs) > toleranceMs) {
        doubt = { offsetMs: seenMs, sinceMs: nowMs };
      } else if (nowMs - doubt.sinceMs >= settleMs) {
        offsetMs = seenMs;
        doubt = null;
        agreedSinceMs = nowMs;
      }
    },
  };
}
