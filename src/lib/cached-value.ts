// A value that takes a while to find out and changes slowly: who asks gets the one that was found last.
import type { Clock } from "./clock.ts";

/** Read again once it is older than `cachedMs`. Concurrent callers share one reading; a failure is not kept. */
export function createCachedValue<T>(
  { clock, cachedMs }: { clock: Clock; cachedMs: number },
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { atMs: number; value: Promise<T> } | null = null;
  return () => {
    const atMs = clock.now().getTime();
    // A clock that was set back does not keep it for longer.
    if (kept && Math.abs(atMs - kept.atMs) < cachedMs) return kept.value;
    const reading = { atMs, value: read() };
    kept = reading;
    reading.value.catch(() => {
      if (kept === reading) kept = null;
    });
    return reading.value;
  };
}
