// Runs work whose cost outsiders can shape in a few threads of its own. Work that exceeds its budget of time or
// memory is ended together with its thread: it fails alone, and the event loop of the service never waits for it.
import fs from "node:fs";
import os from "node:os";
import { Worker } from "node:worker_threads";
import { createFairQueue } from "./fair-queue.ts";
import { secondMs } from "./timestamp.ts";
import type { Call, CallEnd, ThreadStart } from "./work-thread.ts";

/** The work took more time or memory than its budget allows, or its owner has too much work waiting. */
export class OverBudgetError extends Error {
  override readonly name = "OverBudgetError";
}

export type Budget = {
  /** Processor time of the thread, or where the system doesn't say, the time in which it is busy. */
  busyMs: number;
  /** The workspace that shapes the work: only one call of each owner runs at a time. null: the service itself. */
  owner: string | null;
};

// biome-ignore lint/suspicious/noExplicitAny: any function whose arguments and result can be cloned.
export type Work = (...args: any[]) => unknown;

const threadsMax = Math.max(2, os.availableParallelism() - 1);
const heapMbMax = 512;
/** Calls of one owner that may wait: each holds its arguments in memory. */
const waitingMax = 8;
const watchMs = 50;
const idleMs = 10 * secondMs;

type Task = {
  busyMs: number;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
};

type Thread = {
  worker: Worker;
  task: Task | null;
  startedMs: number;
  /** See `ThreadStart`; null until it is known, and where there is none. */
  clock: string | null;
  idleTimer: NodeJS.Timeout | null;
};

/** Owners that lately used threads for longer leave one free. */
const muchMs = 2 * secondMs;

const takeTurn = createFairQueue({
  slotCount: threadsMax,
  perLineMax: 1,
  much: { ms: muchMs, slotCount: threadsMax - 1 },
  admit({ line }, waiting) {
    const isCrowded = waiting.filter((one) => one.line === line).length >= waitingMax;
    if (isCrowded) throw new OverBudgetError("too much work of the workspace is waiting");
  },
});
const threads = new Set<Thread>();
let watch: NodeJS.Timeout | null = null;

/**
 * Calls an exported function of a module, which its `import.meta.url` names, in another thread. Arguments and result
 * are cloned; a stream among the arguments is read piece by piece.
 *
 * @throws OverBudgetError
 */
export function runApart<Run extends Work>(
  work: { module: string; run: Run },
  args: Parameters<Run>,
  budget: Budget,
): Promise<Awaited<ReturnType<Run>>> {
  const call = { module: work.module, name: work.run.name, args };
  return takeTurn({ line: budget.owner }, () => {
    const free = [...threads].find((thread) => thread.task === null);
    return new Promise((resolve, reject) => {
      // The result has the type of the function that was called.
      const task = { ...budget, resolve: resolve as (value: unknown) => void, reject };
      start(free ?? openThread(), task, call);
    });
  });
}

function start(thread: Thread, task: Task, { module, name, args }: Call): void {
  if (thread.idleTimer) clearTimeout(thread.idleTimer);
  thread.task = task;
  thread.startedMs = busyMsOf(thread);
  thread.worker.ref();
  const streams = args.filter((arg) => arg instanceof ReadableStream);
  thread.worker.postMessage({ module, name, args } satisfies Call, streams);
  watch ??= setInterval(endOverdue, watchMs).unref();
}

function openThread(): Thread {
  const file = import.meta.url.replace(/work-pool(?=\.\w+$)/, "work-thread");
  const worker = new Worker(new URL(file), {
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  });
  const thread: Thread = {
    worker,
    task: null,
    startedMs: 0,
    clock: null,
    idleTimer: null,
  };
  worker.on("message", (end: ThreadStart | CallEnd) => {
    const { task } = thread;
    if (end.kind === "started") {
      thread.clock = end.clock;
      thread.startedMs = busyMsOf(thread);
      return;
    }
    rest(thread);
    if (end.kind === "done") task?.resolve(end.value);
    else task?.reject(toError(end.error));
  });
  // It ran out of memory; whatever else ends a thread ends its call in the same way.
  worker.on("error", (error) => discard(thread, new OverBudgetError(error.message)));
  worker.on("exit", () => discard(thread, new OverBudgetError("the thread ended")));
  threads.add(thread);
  return thread;
}

/** An idle thread doesn't keep the process alive, and ends after a while. */
function rest(thread: Thread): void {
  thread.task = null;
  thread.worker.unref();
  thread.idleTimer = setTimeout(() => {
    // A call that begins before it has ended would end with it.
    threads.delete(thread);
    void thread.worker.terminate();
  }, idleMs).unref();
}

function discard(thread: Thread, error: OverBudgetError): void {
  if (threads.delete(thread)) thread.task?.reject(error);
}

function endOverdue(): void {
  for (const thread of threads) {
    const { task, worker } = thread;
    if (task === null || busyMsOf(thread) - thread.startedMs <= task.busyMs) continue;
    discard(thread, new OverBudgetError(`it took more than ${task.busyMs / secondMs} s`));
    void worker.terminate();
  }
  if (watch && [...threads].every(({ task }) => task === null)) {
    clearInterval(watch);
    watch = null;
  }
}

function busyMsOf({ worker, clock }: Thread): number {
  if (clock === null) return worker.performance.eventLoopUtilization().active;
  try {
    const [nanoseconds = ""] = fs.readFileSync(clock, "utf8").split(" ");
    return Number(nanoseconds) / 1_000_000;
  } catch {
    // The thread has just ended, which its exit reports.
    return 0;
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
