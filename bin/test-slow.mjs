#!/usr/bin/env node
// `npm run test:slow`: the first job three times as on a slow machine, in random order and with cold caches. A control group holds it
// to a quarter of the processors. Where this process may not make one, busy processes of the same priority take the rest. Options
// are passed to vitest.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const roundCount = 3;
const share = 0.25;
const busyPerProcessor = 1 / share - 1;
const periodMicroseconds = 100_000;
const quotaMicroseconds = Math.round(periodMicroseconds * os.availableParallelism() * share);

/** The file to which a process writes its id to be held to the quarter, or `undefined` where no control group can be made. */
function makeControlGroup() {
  const name = `starpost-slow-${process.pid}`;
  for (const [parent, limits] of [
    ["/sys/fs/cgroup/cpu", { "cpu.cfs_quota_us": `${quotaMicroseconds}` }],
    ["/sys/fs/cgroup", { "cpu.max": `${quotaMicroseconds} ${periodMicroseconds}` }],
  ]) {
    const folder = path.join(parent, name);
    try {
      fs.mkdirSync(folder);
    } catch {
      continue;
    }
    process.once("exit", () => {
      try {
        fs.rmdirSync(folder);
      } catch {
        // Processes of a run that was stopped are still in it.
      }
    });
    try {
      for (const [file, value] of Object.entries(limits))
        fs.writeFileSync(path.join(folder, file), value, { flag: "r+" });
      return path.join(folder, "cgroup.procs");
    } catch {}
  }
  return undefined;
}

const group = makeControlGroup();
process.stdout.write(
  group === undefined
    ? "no control group can be made: busy processes take three quarters of the processors\n"
    : `held to ${quotaMicroseconds / periodMicroseconds} of ${os.availableParallelism()} processors by a control group\n`,
);
const busy = Array.from(
  { length: group === undefined ? busyPerProcessor * os.availableParallelism() : 0 },
  () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
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
  const options = ["bin/ci", "--sequence.shuffle.files", ...process.argv.slice(2)];
  const join = ["-c", 'echo $$ > "$0" && exec bash "$@"', group ?? "/dev/null"];
  const { status } = spawnSync("bash", [...join, ...options], { cwd: root, stdio: "inherit" });
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(
    `round ${round} of ${roundCount}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s\n`,
  );
  if (status !== 0) failedCount += 1;
}
process.exit(failedCount === 0 ? 0 : 1);
