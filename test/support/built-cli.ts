// The command line as users run it: the built files, in processes of their own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import path from "node:path";
import readline from "node:readline";

const checkout = path.resolve(import.meta.dirname, "../..");
const program = path.join(checkout, "dist/src/cli.js");

export type CommandResult = { code: number | null; stdout: string; stderr: string };

type RunOptions = { cwd: string; env?: Record<string, string> };

/** Builds when the sources changed since the last build. */
export function ensureBuilt(): void {
  const done = spawnSync(process.execPath, [path.join(checkout, "bin/setup.mjs")], {
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`the build failed: ${done.stderr}`);
}

/** Runs a command to its end. */
export function runStarpost(args: readonly string[], run: RunOptions): Promise<CommandResult> {
  const child = start(args, run);
  const ran = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    ran.stdout += chunk.toString("utf8");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    ran.stderr += chunk.toString("utf8");
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ ...ran, code })));
}

export type RunningService = {
  /** What its ready line says: where it listens. */
  url: string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts the service and resolves when it says that it is ready. */
export async function startServe(run: RunOptions): Promise<RunningService> {
  const child = start(["serve"], run);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const seen: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    if (!child.stderr) throw new Error("the service has no stderr");
    readline.createInterface({ input: child.stderr }).on("line", (line) => {
      seen.push(line);
      const found = /"url":"([^"]+)"/.exec(line)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`the service ended: ${seen.join("\n")}`)));
  });
  return {
    url,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

function start(args: readonly string[], run: RunOptions): ChildProcess {
  // Nothing of the machine's own settings: a test says all that matters.
  const env = { PATH: process.env["PATH"] ?? "", HOME: run.cwd, ...run.env };
  return spawn(process.execPath, [program, ...args], { cwd: run.cwd, env, stdio: "pipe" });
}
