// Compiles the service once per test file and runs it in several real processes on one database.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { compileProgram } from "./compile-program.ts";

export type ServiceProcess = {
  url: string;
  close(): Promise<void>;
};

export async function startServiceProcesses(
  databaseUrl: string,
  count: number,
): Promise<{ services: ServiceProcess[]; close(): Promise<void> }> {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-processes-"));
  const services: ServiceProcess[] = [];
  const close = async (): Promise<void> => {
    for (const service of services) await service.close();
    await fs.rm(root, { recursive: true });
  };
  try {
    const file = await compileProgram(path.join(root, "program"), "test/support/service-child.ts");
    const env = {
      PATH: process.env["PATH"],
      PORT: "0",
      ROLES: "api",
      DATA_DIR: path.join(root, "data"),
      DATABASE_URL: databaseUrl,
    };
    // One after the other: the first makes the keys that the others read.
    for (let index = 0; index < count; index += 1) services.push(await startProcess(file, env));
    return { services, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startProcess(file: string, env: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [file], { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = readline.createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, "line"),
    ended.then(() => Promise.reject(new Error(`a service ended with ${child.exitCode}`))),
  ]);
  return {
    url: JSON.parse(String(first[0])).url,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
