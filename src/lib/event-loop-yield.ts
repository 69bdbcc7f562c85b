// Lets timers and sockets run while a loop works on input of any size or shape.
import { setImmediate } from "node:timers/promises";
import { monotonicMs } from "./clock.ts";

/** How long a loop may keep the event loop, in ms, unless a single step takes longer. */
const turnMs = 3;

/** Returns a function to await after each step: it yields to the event loop once the turn is over. */
export function createYield(): () => Promise<void> {
  let startedAt = monotonicMs();
  return async () => {
    if (monotonicMs() - startedAt < turnMs) return;
    await setImmediate();
    startedAt = monotonicMs();
  };
}
