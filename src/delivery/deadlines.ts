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
  const pending = new Set<{ overAt: number; onOver: () => void }>();
  let timer: NodeJS.Timeout | null = null;

  function arm(): void {
    if (timer) return;
    const [first] = pending;
    if (!first) return;
    timer = setTimeout(sweep, Math.max(1, Math.ceil(first.overAt - monotonicMs())));
  }

  // All have the same length, so the set's order is the order in which they end.
  function sweep(): void {
    timer = null;
    const now = monotonicMs();
    for (const deadline of pending) {
      if (deadline.overAt > now) break;
      pending.delete(deadline);
      deadline.onOver();
    }
    arm();
  }

  return {
    add(onOver) {
      const deadline = { overAt: monotonicMs() + durationMs, onOver };
      pending.add(deadline);
      arm();
      return () => pending.delete(deadline);
    },
    close() {
      if (timer) clearTimeout(timer);
      pending.clear();
    },
  };
}
