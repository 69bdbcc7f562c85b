// A thread of the work pool: runs one exported function at a time and posts its result.
import fs from "node:fs";
import { parentPort } from "node:worker_threads";

/** A function of a module, and its arguments. */
export type Call = { module: string; name: string; args: readonly unknown[] };

/** `clock`: the file that has the processor time of this thread. */
export type ThreadStart = { kind: "started"; clock: string };

export type CallEnd = { kind: "done"; value: unknown } | { kind: "failed"; error: unknown };

parentPort?.on("message", async ({ module, name, args }: Call) => {
  try {
    const exported = (await import(module)) as Record<string, (...args: unknown[]) => unknown>;
    const run = exported[name];
    if (!run) throw new Error(`${module} exports no ${name}`);
    post({ kind: "done", value: await run(...args) });
  } catch (error) {
    post({ kind: "failed", error });
  }
});

const clock = findClock();
if (clock !== null) post({ kind: "started", clock });

/** Linux alone has one; a kernel that counts nothing has zeros. */
function findClock(): string | null {
  const self = "/proc/thread-self";
  if (!fs.existsSync(`${self}/schedstat`)) return null;
  const file = `/proc/${fs.readlinkSync(self)}/schedstat`;
  return fs.readFileSync(file, "utf8").startsWith("0 ") ? null : file;
}

function post(message: ThreadStart | CallEnd): void {
  parentPort?.postMessage(message);
}
