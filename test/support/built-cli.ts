// Runs the built command line in processes of its own, as users do.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import path from "node:path";
import readline from "node:readline";

const checkout = path.resolve(import.meta.dirname, "../..");
const program = path.join(checkout, "dist/src/cli.js");

export type CommandResult = { code: number | null; stdout: string; stderr: string };

type RunOptions = { cwd: string; env?: Record<string, string> };

let isBuilt = false;

/** Builds when the sources changed since the last build; looks once in each worker of a run.
 * @throws when the build fails */
export function ensureBuilt(): void {
  if (isBuilt) return;
  const result = spawnSync(process.execPath, [path.join(checkout, "bin/setup.mjs")], {
    encoding: "utf8",
  });
  if (result.status !== 0) throw new Error(`the build failed: ${result.stderr}`);
  isBuilt = true;
}

/** Runs a command to its end. */
export function runStarpost(args: readonly string[], options: RunOptions): Promise<CommandResult> {
  return startStarpost(args, options).result;
}

export type RunningCommand = {
  result: Promise<CommandResult>;
  isRunning(): boolean;
  kill(signal: NodeJS.Signals): void;
};

/** The exit code of a command that was killed is null. */
export function startStarpost(args: readonly string[], options: RunOptions): RunningCommand {
  const child = start(args, options);
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString("utf8");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    result: ended.then((code) => ({ ...output, code })),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: (signal) => child.kill(signal),
  };
}

export type RunningService = {
  /** Where it listens, from its ready line. */
  url: string;
  /** All that it has written to stderr. */
  lines: readonly string[];
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts the service; resolves with its ready line. */
export async function startServe(options: RunOptions): Promise<RunningService> {
  const child = start(["serve"], options);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    if (!child.stderr) throw new Error("the service has no stderr");
    readline.createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      const found = /"url":"([^"]+)"/.exec(line)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`the service ended: ${lines.join("\n")}`)));
  });
  return {
    url,
    lines,
    pid: child.pid ?? 0,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

function start(args: readonly string[], options: RunOptions): ChildProcess {
  // Without the settings of the machine: a test names all that matter.
  // Another program may use the default port.
  const common = { PATH: process.env["PATH"] ?? "", HOME: options.cwd, PORT: "0" };
  const env = { ...common, ...options.env };
  return spawn(process.execPath, [program, ...args], { cwd: options.cwd, env, stdio: "pipe" });
}
