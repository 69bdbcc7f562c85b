// A thread of the work pool: runs one exported function at a time and posts its result.
import { parentPort } from "node:worker_threads";

/** A function of a module, and its arguments. */
export type Call = { module: string; name: string; args: readonly unknown[] };

export type CallEnd = { kind: "done"; value: unknown } | { kind: "failed"; error: unknown };

parentPort?.on("message", async ({ module, name, args }: Call) => {
  try {
    const exported = (await import(module)) as Record<string, (...args: unknown[]) => unknown>;
    post({ kind: "done", value: await exported[name]?.(...args) });
  } catch (error) {
    post({ kind: "failed", error });
  }
});

function post(end: CallEnd): void {
  parentPort?.postMessage(end);
}
