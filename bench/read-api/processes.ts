// The processes of the benchmark and their memory.
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

/**
 * Sends a job and waits for the result.
 * @throws when the child ends without one
 */
export async function runJob<Result>(child: Child, job: object | null): Promise<Result> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child.process, "exit", { signal }).then(([code]) => {
    throw new Error(`a process of the benchmark ended with ${code}`);
  });
  try {
    const responded = once(child.process, "message", { signal });
    if (job !== null) child.process.send(job);
    const [result] = await Promise.race([responded, ended]);
    return result as Result;
  } finally {
    // The end of the process is expected from here on.
    ended.catch(() => {});
    over.abort();
  }
}

export type Load = (job: Pick<LoadJob, "port" | "paths"> & Partial<LoadJob>) => Promise<LoadResult>;

/** A load that goes on through the keys, so that none exceeds its rate limit. */
export function openLoad(child: Child, keys: readonly string[]): Load {
  let used = 0;
  return async (job) => {
    const rest = [...keys.slice(used), ...keys.slice(0, used)];
    const result = await runJob<LoadResult>(child, {
      connectionCount: 10,
      durationMs: 0,
      once: false,
      ...job,
      keys: rest,
    });
    used = (used + Math.ceil(result.count / 60) + (job.connectionCount ?? 10)) % keys.length;
    return result;
  };
}

/** The peak memory of a process so far, in MB. */
export function peakMemoryMb(child: Child): number {
  const status = fs.readFileSync(`/proc/${child.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
