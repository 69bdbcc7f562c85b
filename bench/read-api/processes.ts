// The processes of the benchmark, each alone with its work, and what they cost in memory.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import type { LoadJob, LoadResult } from "./load.ts";

export type Child = { process: ChildProcess; stop(): Promise<void> };

export function startChild(name: string, env: NodeJS.ProcessEnv = {}): Child {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const execArgv = (env["BENCH_NODE_OPTIONS"] ?? "").split(" ").filter((option) => option !== "");
  const child = fork(file, { env: { PATH: process.env["PATH"], ...env }, execArgv });
  const ended = once(child, "exit");
  return {
    process: child,
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Sends a job and waits for the answer; a child that ends without one is an error. */
export async function ask<Answer>(child: Child, job: object | null): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child.process, "exit", { signal }).then(([code]) => {
    throw new Error(`a process of the benchmark ended with ${code}`);
  });
  try {
    const answered = once(child.process, "message", { signal });
    if (job !== null) child.process.send(job);
    const [answer] = await Promise.race([answered, ended]);
    return answer as Answer;
  } finally {
    // Nobody waits for its end any more.
    ended.catch(() => {});
    over.abort();
  }
}

export type Load = (job: Pick<LoadJob, "port" | "paths"> & Partial<LoadJob>) => Promise<LoadResult>;

/** A load that walks on through the keys, so that none is asked for more than its limit. */
export function openLoad(child: Child, keys: readonly string[]): Load {
  let used = 0;
  return async (job) => {
    const rest = [...keys.slice(used), ...keys.slice(0, used)];
    const result = await ask<LoadResult>(child, {
      connectionCount: 10,
      durationMs: 0,
      once: false,
      isAwake: false,
      ...job,
      keys: rest,
    });
    used = (used + Math.ceil(result.count / 60) + (job.connectionCount ?? 10)) % keys.length;
    return result;
  };
}

/** The most memory that a process held so far, in MB. */
export function peakMemoryMb(child: Child): number {
  const status = fs.readFileSync(`/proc/${child.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
