// A real translator for tests: Debian's apertium-apy with Spanish and English, on a free port. Where it is
// not installed its tests are skipped, with a message that names the packages.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { findFreePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

const server = "/usr/bin/apertium-apy";
const modes = "/usr/share/apertium/modes";

export type Apertium = { url: string; close(): Promise<void> };

/** Whether it is installed; prints a message where it is not. */
export function hasApertium(): boolean {
  const isThere = fs.existsSync(server) && fs.existsSync(`${modes}/spa-eng.mode`);
  if (!isThere) {
    process.stderr.write("no apertium-apy with apertium-eng-spa here: its tests are skipped\n");
  }
  return isThere;
}

export async function startApertium(): Promise<Apertium> {
  const port = await findFreePort();
  // A group of its own: the server starts a pipeline of processes for each pair.
  const child = spawn(server, ["--port", String(port), modes], { stdio: "ignore", detached: true });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  try {
    // It does not report when it is ready.
    await waitFor(() => isReady(url), { withinMs: 30_000, what: `apertium-apy at ${url}` });
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/listPairs`).then(
    (response) => response.ok,
    () => false,
  );
}
