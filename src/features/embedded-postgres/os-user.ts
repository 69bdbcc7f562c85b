// Which OS user runs PostgreSQL's programs, and how. PostgreSQL refuses to run as root: for root they run
// as another user of the machine, for every other caller as the caller.
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { EmbeddedPostgresError } from "./error.ts";

/** The OS user that runs PostgreSQL's programs; null is the caller. */
export type OsUser = { name: string; uid: number; gid: number } | null;

/** How a program ended; `code` is null when it was stopped by its time limit or a signal. */
type ProgramResult = { code: number | null; output: string };

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The owner of the first of these folders that exists and isn't root's, so that a data folder stays
 * with the user who made it; else the machine's `postgres`, else `nobody`.
 * @throws EmbeddedPostgresError when the user does not exist
 */
export async function chooseOsUser(folders: readonly string[]): Promise<OsUser> {
  if (!isRoot()) return null;
  for (const folder of folders) {
    const owner = await ownerOf(folder);
    if (owner !== null && owner.uid !== 0) return { name: `user ${owner.uid}`, ...owner };
  }
  for (const name of ["postgres", "nobody"]) {
    const found = await findOsUser(name);
    if (found !== null) return found;
  }
  throw new EmbeddedPostgresError(
    "PostgreSQL refuses to run as root and this machine has neither a user postgres nor nobody; start as another user or set DATABASE_URL",
  );
}

/** Runs a program to its end with a clean environment, so that no PG* variable changes what it does. */
export function runProgram(program: {
  file: string;
  args: readonly string[];
  osUser: OsUser;
  timeoutMs: number;
}): Promise<ProgramResult> {
  const options = { ...spawnOptions(program.osUser), timeout: program.timeoutMs };
  return new Promise((resolve, reject) => {
    execFile(program.file, [...program.args], options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      if (error === null) return resolve({ code: 0, output });
      // A code of text is the operating system's: the program could not be started at all.
      if (typeof error.code === "string") return reject(error);
      resolve({ code: error.code ?? null, output });
    });
  });
}

/** The environment of every child: the OS user, a folder it can always enter, and English messages. */
export function spawnOptions(osUser: OsUser) {
  return {
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...(osUser === null ? {} : { uid: osUser.uid, gid: osUser.gid }),
  };
}

/** Tries it as that user, so that modes, owners, ACLs and mounts all count. */
export async function canAccess(osUser: OsUser, target: string): Promise<boolean> {
  const script = 'if test -d "$1"; then test -x "$1"; else test -r "$1"; fi';
  const args = ["-c", script, "sh", target];
  const { code } = await runProgram({ file: "/bin/sh", args, osUser, timeoutMs: 10_000 });
  return code === 0;
}

async function findOsUser(name: string): Promise<OsUser> {
  const program = { file: "id", osUser: null, timeoutMs: 10_000 };
  const uid = await runProgram({ ...program, args: ["-u", name] });
  const gid = await runProgram({ ...program, args: ["-g", name] });
  const isFound = /^\d+$/.test(uid.output) && /^\d+$/.test(gid.output);
  return isFound ? { name, uid: Number(uid.output), gid: Number(gid.output) } : null;
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await fs.stat(path);
    return { uid, gid };
  } catch {
    // It does not exist yet, or is a dangling link, which layout.ts reports better.
    return null;
  }
}
