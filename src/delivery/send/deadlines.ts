// Many deadlines of one length on a single timer: a timer of its own for each request costs a quarter
// of the throughput.

import { monotonicMs } from "../../lib/clock.ts";

export type Deadlines = {
  /**
   * Calls back once the time is over, unless the returned function was called before; that one says whether it was in
   * time.
   */
  add(onOver: () => void): () => boolean;
  close(): void;
};

type Deadline = { overAt: number; onOver: () => void };

// Real time, not the handed-in clock: these bound what real sockets do.
export function openDeadlines(durationMs: number): Deadlines {
  const pending = new Set<Deadline>();
  let timer: NodeJS.Timeout | null = null;
  let sweeping: NodeJS.Immediate | null = null;

  function arm(): void {
    if (timer) return;
    const [first] = pending;
    if (!first) return;
    timer = setTimeout(sweepSoon, Math.max(1, Math.ceil(first.overAt - monotonicMs())));
  }

  // Timers come before what arrived: a process that was busy would find answers late that have been there for long.
  function sweepSoon(): void {
    sweeping = setImmediate(sweep);
  }

  // Tables that a set has outgrown refer to what was in them and to the table that followed. One that has become old
  // would keep the requests of all later ones from being collected quickly.
  function forget(deadline: Deadline): boolean {
    deadline.onOver = nothing;
    return pending.delete(deadline);
  }

  // All have the same length, so the set's order is the order in which they end.
  function sweep(): void {
    timer = null;
    const now = monotonicMs();
    for (const deadline of pending) {
      if (deadline.overAt > now) break;
      const { onOver } = deadline;
      forget(deadline);
      onOver();
    }
    arm();
  }

  return {
    add(onOver) {
      const deadline = { overAt: monotonicMs() + durationMs, onOver };
      pending.add(deadline);
      arm();
      return () => forget(deadline);
    },
    close() {
      if (timer) clearTimeout(timer);
      if (sweeping) clearImmediate(sweeping);
      pending.clear();
    },
  };
}

function nothing(): void {}
