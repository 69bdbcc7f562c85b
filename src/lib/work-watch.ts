// Reports work that kept the event loop from everything else for a second, by name, once it is over.
import { monotonicMs } from "./clock.ts";
import type { Log } from "./log.ts";
import { secondMs } from "./timestamp.ts";

export type WorkWatch = {
  /** Names the work until it is over. Names are for the operator: an app, a workspace. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  close(): void;
};

export const unwatched: WorkWatch = { run: (_, work) => work(), close() {} };

/** How long a block is that is reported, in ms. */
export const blockMs = secondMs;
const namedMax = 20;

export function openWorkWatch(log: Log): WorkWatch {
  // Several jobs can be under way: each of them that ran since the last turn of the timer is named.
  const works = new Map<{ name: string }, "running" | "over">();
  let lastMs = monotonicMs();
  const timer = setInterval(() => {
    const durationMs = Math.round(monotonicMs() - lastMs);
    lastMs = monotonicMs();
    if (durationMs >= blockMs) {
      const work = [...works.keys()].slice(0, namedMax).map(({ name }) => name);
      log.warn({ durationMs, work }, `everything else stood still for ${durationMs} ms`);
    }
    for (const [work, state] of works) if (state === "over") works.delete(work);
  }, blockMs / 5);
  timer.unref();
  return {
    async run(name, work) {
      const entry = { name };
      works.set(entry, "running");
      try {
        return await work();
      } finally {
        works.set(entry, "over");
      }
    },
    close: () => clearInterval(timer),
  };
}
