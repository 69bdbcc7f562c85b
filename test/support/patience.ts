// Deadlines of tests: a busy machine makes a test slower, never red.
import os from "node:os";

/** The milliseconds on an idle machine, times the load of the last minute for each processor. */
export function patience(ms: number): number {
  const [load = 0] = os.loadavg();
  return Math.round(ms * Math.max(1, load / os.availableParallelism()));
}

/** The options of a test of minutes. */
export const longTest = { timeout: patience(600_000) };
