// Reports work that keeps the event loop from everything else for a second, by name, also when it never
// ends: a thread of its own watches a heartbeat of the main thread, and knows what is being worked on.
import { Worker } from "node:worker_threads";
import type { Log } from "./log.ts";
import { secondMs } from "./timestamp.ts";

export type WorkWatch = {
  /** Names the work until it is over. Names are for the operator: an app, a workspace. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export const unwatched: WorkWatch = { run: (_, work) => work(), async close() {} };

/** How long a block is before it is reported, in ms. */
export const blockMs = secondMs;
const heartbeatMs = blockMs / 5;

/**
 * Writes to stderr while a block lasts, from the other thread, because nothing of this one runs; and to the
 * log when it is over.
 */
export function openWorkWatch(log: Log): WorkWatch {
  // 0: the count of heartbeats. The thread reads it without any help of this one.
  const heartbeat = new Int32Array(new SharedArrayBuffer(4));
  const watcher = new Worker(watcherCode, {
    eval: true,
    workerData: { heartbeat, blockMs, heartbeatMs, isText: process.stderr.isTTY === true },
  });
  watcher.unref();
  // The watch does not take part in the work: without it everything goes on.
  watcher.on("error", (error) => log.warn({ err: error }, "blocked work is not reported any more"));
  watcher.on("message", ({ durationMs, work }: BlockEnd) =>
    log.warn({ durationMs, work }, `everything else stood still for ${durationMs} ms`),
  );
  const timer = setInterval(() => Atomics.add(heartbeat, 0, 1), heartbeatMs);
  timer.unref();
  let runCount = 0;
  return {
    async run(name, work) {
      runCount += 1;
      const id = runCount;
      watcher.postMessage({ id, name });
      try {
        return await work();
      } finally {
        watcher.postMessage({ id, name: null });
      }
    },
    async close() {
      clearInterval(timer);
      await watcher.terminate();
    },
  };
}

type BlockEnd = { durationMs: number; work: string[] };

// As text, because it has to run from TypeScript sources and from the build alike. Several jobs can be under way when
// the heartbeat stops: all of them are named.
const watcherCode = `
const { parentPort, workerData } = require("node:worker_threads");
const { heartbeat, blockMs, heartbeatMs, isText } = workerData;
const names = new Map();
parentPort.on("message", ({ id, name }) => name === null ? names.delete(id) : names.set(id, name));
let last = -1, since = performance.now(), isReported = false, work = [];
setInterval(() => {
  const now = performance.now();
  const count = Atomics.load(heartbeat, 0);
  if (count !== last) {
    if (isReported) parentPort.postMessage({ durationMs: Math.round(now - since), work });
    last = count;
    since = now;
    isReported = false;
  } else if (!isReported && now - since >= blockMs) {
    isReported = true;
    work = [...names.values()].slice(0, 20);
    const msg = "everything else stands still while this is worked on";
    const line = isText
      ? msg + ": " + (work.join(", ") || "unknown")
      : JSON.stringify({ level: 40, time: Date.now(), work, msg });
    require("node:fs").writeSync(2, line + "\\n");
  }
}, heartbeatMs);
`;
