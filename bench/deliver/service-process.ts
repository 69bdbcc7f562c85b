// The service as an operator runs it, delivering alone, as a process of its own that a benchmark starts.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { BenchWorld } from "./world.ts";

/** Resolves once it is ready. */
export async function startServiceProcess(
  world: BenchWorld,
  { heapMb }: { heapMb?: number } = {},
): Promise<ChildProcess> {
  const service = fork(path.join(import.meta.dirname, "service.js"), {
    execArgv: heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: world.dataDir,
      ENCRYPTION_KEY: world.encryptionKey.toString("base64"),
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
    },
  });
  await Promise.race([
    once(service, "message"),
    once(service, "exit").then(() => Promise.reject(new Error("the service ended"))),
  ]);
  return service;
}

export async function stopServiceProcess(service: ChildProcess): Promise<void> {
  const ended = once(service, "exit");
  service.disconnect();
  await ended;
}
