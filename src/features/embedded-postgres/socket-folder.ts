// The folder of the server's Unix socket: private to its OS user, with a path that is short enough for
// the operating system.
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { errorCode } from "../../lib/errors.ts";
import { EmbeddedPostgresError } from "./error.ts";
import type { OsUser } from "./os-user.ts";

export const port = 5432;
/** SQL users may have another one. */
const longestPort = 65_535;

// sun_path holds 108 bytes on Linux and 104 on macOS, the closing NUL included.
const socketPathBytesMax = 103;
// Not os.tmpdir(): TMPDIR differs between a service and a shell, and both must find the same folder.
const temporary = "/tmp";

/**
 * The cluster's own folder where that works: it is private already, and found wherever the cluster
 * is mounted. A long path or a file system without sockets gets a folder in /tmp.
 * @throws EmbeddedPostgresError when that folder belongs to another user
 */
export async function ensureSocketFolder(cluster: string, osUser: OsUser): Promise<string> {
  if (isShortEnough(cluster) && (await canHoldSockets(cluster))) return cluster;

  const fingerprint = createHash("sha256").update(cluster).digest("hex").slice(0, 16);
  const folder = path.join(temporary, `starpost-${fingerprint}`);
  await ensurePrivateFolder(folder, osUser);
  return folder;
}

/** Whether a socket in this folder can have an address: no server listens in any other. */
export function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, `.s.PGSQL.${longestPort}`)) <= socketPathBytesMax;
}

async function ensurePrivateFolder(folder: string, osUser: OsUser): Promise<void> {
  const owner = osUser ?? { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  try {
    await fs.mkdir(folder, { mode: 0o700 });
    // /tmp is sticky: no other user can have swapped the file that root has just created there.
    await fs.lchown(folder, owner.uid, owner.gid);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const stats = await fs.lstat(folder);
  if (stats.isDirectory() && stats.uid === owner.uid && (stats.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} belongs to somebody else or is open to others; remove it, or choose a shorter DATA_DIR`,
  );
}

// Shared folders of virtual machines often can't hold sockets, so it is tried.
async function canHoldSockets(folder: string): Promise<boolean> {
  // As long as the server's own name, so the limit holds for both.
  const trial = path.join(folder, `.s.${randomUUID().slice(0, 8)}`);
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    // Closing removes the socket's file.
    server.listen(trial, () => server.close(() => resolve(true)));
  });
}
