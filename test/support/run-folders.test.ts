// A test run removes the folders, processes and servers of a killed one.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openEmbeddedServer } from "../../src/features/embedded-postgres/server.ts";
import { silentLog } from "../../src/lib/log.ts";
import { removeLeftovers } from "./run-folders.ts";

test("folders, processes and servers of a killed run are removed, and those of a living run stay", async () => {
  const parent = await fs.mkdtemp(path.join(os.tmpdir(), "runs-"));
  await fs.chmod(parent, 0o755);
  const deadPid = spawnSync(process.execPath, ["--version"]).pid;
  const [dead, living] = [deadPid, process.pid].map((pid) =>
    path.join(parent, `starpost-run-${pid}`),
  ) as [string, string];
  for (const folder of [dead, living]) await fs.mkdir(folder);
  const left = spawn("sleep", ["600"], { env: { ...process.env, TMPDIR: dead } });
  const ended = once(left, "exit");
  const server = await openEmbeddedServer({
    dataDir: path.join(dead, "data"),
    sharedDir: path.join(dead, "shared"),
    log: silentLog,
  });
  await removeLeftovers(parent);
  expect(await fs.readdir(parent)).toEqual([path.basename(living)]);
  expect(await ended).toEqual([null, "SIGKILL"]);
  await server.close();
  await fs.rm(parent, { recursive: true });
});
