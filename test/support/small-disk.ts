// A disk of a few megabytes that a test can fill up and free again: a tmpfs, which only root may mount.
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { errorCode } from "../../src/lib/errors.ts";

const run = promisify(execFile);

export type SmallDisk = {
  folder: string;
  /** Takes whatever is left. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
};

/** null where nothing can be mounted. */
export async function openSmallDisk(sizeMb: number): Promise<SmallDisk | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${sizeMb}m,mode=0755`, "starpost-test", folder]);
  } catch {
    // A container may run as root and still not be allowed to.
    await fs.rmdir(folder);
    return null;
  }
  const ballast = path.join(folder, "ballast");
  return {
    folder,
    async fill() {
      const file = await fs.open(ballast, "a");
      try {
        // The last blocks are taken byte by byte, so to speak.
        for (let size = 1_048_576; size >= 1; size = Math.floor(size / 2)) await pour(file, size);
      } finally {
        await file.close();
      }
    },
    free: () => fs.rm(ballast, { force: true }),
    async remove() {
      await run("umount", ["--lazy", folder]);
      await fs.rmdir(folder);
    },
  };
}

async function pour(file: fs.FileHandle, size: number): Promise<void> {
  const block = Buffer.alloc(size);
  for (;;) {
    try {
      await file.writeFile(block);
    } catch (error) {
      if (errorCode(error) === "ENOSPC") return;
      throw error;
    }
  }
}
