// Many deadlines of one length on a single timer: a timer of its own for each request costs a quarter
// of the throughput.

import { monotonicMs } from "../lib/clock.ts";

export type Deadlines = {
  /**
   * Calls back once the time is over, unless the returned function was called before; that one says whether it was in
   * time.
   */
  add(onOver: () => void): () => boolean;
  close(): void;
};

// Real time, not the handed-in clock: these bound what real sockets do.
export function openDeadlines(durationMs: number): Deadlines {
  const pending = new Map<symbol, { overAt: number; onOver: () => void }>();
  let timer: NodeJS.Timeout | null = null;

  function arm(): void {
    const [first] = pending.values();
    if (timer || !first) return;
    timer = setTimeout(sweep, Math.max(1, Math.ceil(first.overAt - monotonicMs())));
  }

  // All have the same length, so the map's order is the order in which they end.
  function sweep(): void {
    timer = null;
    const now = monotonicMs();
    for (const [key, { overAt, onOver }] of pending) {
      if (overAt > now) break;
      pending.delete(key);
      onOver();
    }
    arm();
  }

  return {
    add(onOver) {
      const key = Symbol("deadline");
      pending.set(key, { overAt: monotonicMs() + durationMs, onOver });
      arm();
      return () => pending.delete(key);
    },
    close() {
      if (timer) clearTimeout(timer);
      pending.clear();
    },
  };
}
