// Waiting as a dependency: tests hand in their own, and a signal ends it early.
import { setTimeout } from "node:timers/promises";

/** Resolves after that time, or as soon as the signal aborts; never rejects. */
export type Delay = (durationMs: number, signal?: AbortSignal) => Promise<void>;

// It rejects at the abort alone.
export const systemDelay: Delay = (durationMs, signal) =>
  setTimeout(durationMs, undefined, signal && { signal }).catch(() => {});
