#!/usr/bin/env node
// `npm run test:slow`: the first job three times as on a slow machine. Busy processes of the same priority leave it a quarter of the
// processors, the files run in random order, and caches are cold. Options are passed to vitest.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const roundCount = 3;
const busyPerProcessor = 3;

const busy = Array.from({ length: busyPerProcessor * os.availableParallelism() }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
process.once("exit", () => {
  for (const child of busy) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

let failedCount = 0;
for (let round = 1; round <= roundCount; round += 1) {
  for (const cache of [".cache", ".vite", ".vitest"])
    fs.rmSync(path.join(root, "node_modules", cache), { recursive: true, force: true });
  fs.mkdirSync(path.join(root, "node_modules/.cache"), { recursive: true });
  const startedAt = Date.now();
  const options = ["--sequence.shuffle.files", ...process.argv.slice(2)];
  const { status } = spawnSync("bash", ["bin/ci", ...options], { cwd: root, stdio: "inherit" });
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(
    `round ${round} of ${roundCount}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s\n`,
  );
  if (status !== 0) failedCount += 1;
}
process.exit(failedCount === 0 ? 0 : 1);
