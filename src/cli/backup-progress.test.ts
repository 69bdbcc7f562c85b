// The progress of starpost backup, as a terminal and as a pipe show it.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { cloneDatabase } from "../../test/support/database.ts";
import { readConfig } from "../config/config.ts";
import { runCli } from "./run.ts";

const unused = (): never => {
  throw new Error("a backup does not call this");
};

async function backUp(databaseUrl: string, file: string, isTTY: boolean): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const exitCode = await runCli(["backup", file], {
    openContext: unused,
    startService: unused,
    untilStopped: unused,
    loadConfig: async () => ({ ...readConfig({ envFile: "none", env: {} }), databaseUrl }),
    migrate: unused,
    stdin: new PassThrough(),
    stdout: new PassThrough().resume(),
    stderr,
  });
  expect(exitCode).toBe(0);
  stderr.end();
  return text(stderr);
}

test("at a terminal, a backup shows its tables in one line, which is cleared before the result", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-progress-"));
  const { connectionString, drop } = await cloneDatabase();
  try {
    const clear = "\r\u001b[K";
    const atTerminal = await backUp(connectionString, path.join(folder, "one"), true);
    expect(atTerminal.startsWith(clear)).toBe(true);
    expect(atTerminal.endsWith(clear)).toBe(true);
    expect(atTerminal.split(clear)).toContain("reviews");
    expect(atTerminal).not.toContain("\n");
    const piped = await backUp(connectionString, path.join(folder, "other"), false);
    expect(piped.split("\n").slice(0, -1)).toEqual(
      atTerminal.split(clear).filter((line) => line !== ""),
    );
  } finally {
    await drop();
    await fs.rm(folder, { recursive: true });
  }
});
