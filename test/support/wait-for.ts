// Waits for a condition that nothing announces. Where an event can be collected, use event-collector.ts.
import { setTimeout as delay } from "node:timers/promises";
import { patience } from "./patience.ts";

export type WaitOptions = {
  /** How long the condition may take on an idle machine. */
  withinMs: number;
  /** The awaited condition, for the error; a function is called at the end, to report the last state. */
  what: string | (() => string);
  /** Between two checks. */
  intervalMs?: number;
};

/**
 * Resolves with the first value that is neither null, undefined nor false.
 * @throws when there is none within the time, with `what` in the message
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { withinMs, what, intervalMs = 20 }: WaitOptions,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + patience(withinMs);
  for (;;) {
    const value = await condition();
    if (value !== null && value !== undefined && value !== false) {
      return value as NonNullable<Exclude<T, false>>;
    }
    if (performance.now() > deadline) {
      const description = typeof what === "string" ? what : what();
      throw new Error(`waited ${withinMs} ms in vain for ${description}`);
    }
    await delay(intervalMs);
  }
}
