// The only file that reads the machine's time. Everything else gets a Clock, so that tests can move it.

export type Clock = {
  /** The current moment. */
  now(): Date;
  /** False while the outside shows another time: nothing may be ended or deleted for good by `now()` then. */
  isSettled?(): boolean;
};

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds of a clock that never jumps, for durations and deadlines within one process. */
export const monotonicMs = (): number => performance.now();

/**
 * A moment of this process by both clocks of the machine: the monotonic one stands still while the machine is suspended,
 * the other one may jump.
 */
export type Moment = { monotonicMs: number; wallMs: number };

export const markMoment = (): Moment => ({ monotonicMs: monotonicMs(), wallMs: Date.now() });

/** How long ago the moment was, by the clock that shows more. */
export function readAgeMs(moment: Moment): number {
  return Math.max(monotonicMs() - moment.monotonicMs, Date.now() - moment.wallMs);
}
