// PostgreSQL refuses to run as root. When root calls, its programs run as another account of the
// machine; every other caller runs them as itself.
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { AppError } from "../domain/error.ts";

/** Who runs PostgreSQL's programs; `null` means the caller itself. */
export type OsUser = { name: string; uid: number; gid: number } | null;

/** What became of a program; `code` is null when it was stopped by its time limit or a signal. */
export type ProgramResult = { code: number | null; output: string };

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The owner of the first of these folders that exists and isn't root's, so that a data folder stays
 * with the person who made it; else the machine's `postgres`, else `nobody`.
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
  throw new AppError(
    "unavailable",
    "PostgreSQL refuses to run as root and this machine has neither a user postgres nor nobody; start as another user or set DATABASE_URL",
  );
}

/** Runs a program to its end with a clean environment, so that no PG* variable bends it. */
export function runProgram(program: {
  file: string;
  args: readonly string[];
  account: OsUser;
  timeoutMs: number;
}): Promise<ProgramResult> {
  const options = { ...spawnOptions(program.account), timeout: program.timeoutMs };
  return new Promise((resolve, reject) => {
    execFile(program.file, [...program.args], options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      if (error === null) return resolve({ code: 0, output });
      // A text code is the system's: the program could not be started at all.
      if (typeof error.code === "string") return reject(error);
      resolve({ code: error.code ?? null, output });
    });
  });
}

/** What every child gets: the account, a folder it can always enter, and English messages. */
export function spawnOptions(account: OsUser) {
  return {
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
  };
}

/** Asks as the account itself: modes, owners, ACLs and mounts have all had their say then. */
export async function canAccess(account: OsUser, target: string): Promise<boolean> {
  const script = 'if test -d "$1"; then test -x "$1"; else test -r "$1"; fi';
  const args = ["-c", script, "sh", target];
  const { code } = await runProgram({ file: "/bin/sh", args, account, timeoutMs: 10_000 });
  return code === 0;
}

async function findOsUser(name: string): Promise<OsUser> {
  const ask = { file: "id", account: null, timeoutMs: 10_000 };
  const uid = await runProgram({ ...ask, args: ["-u", name] });
  const gid = await runProgram({ ...ask, args: ["-g", name] });
  const isFound = /^\d+$/.test(uid.output) && /^\d+$/.test(gid.output);
  return isFound ? { name, uid: Number(uid.output), gid: Number(gid.output) } : null;
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await fs.stat(path);
    return { uid, gid };
  } catch {
    // Not there yet, or a dangling link that the placement reports better.
    return null;
  }
}
