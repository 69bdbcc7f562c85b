// The folder that keeps what was read for reports, so that the next one continues from there.
import fs from "node:fs/promises";
import { AppError } from "../domain/error.ts";
import { messageOf } from "../lib/errors.ts";

/** PostgreSQL's files take 60 MB, and its log grows in files of 16 MB. */
const freeBytesMin = 300_000_000;
const megabyte = 1_000_000;

/**
 * @param folder made unless it is there
 * @throws AppError `unavailable` when it can't be written, or its disk is too full
 */
export async function openCacheFolder(folder: string): Promise<void> {
  try {
    // As the embedded server makes it: its user must be able to enter what root makes.
    const mode = process.getuid?.() === 0 ? 0o755 : 0o700;
    await fs.mkdir(folder, { recursive: true, mode });
    await fs.access(folder, fs.constants.W_OK);
  } catch (error) {
    const reason = `the cache folder ${folder} can't be written: ${messageOf(error)}`;
    throw new AppError("unavailable", `${reason}; set XDG_CACHE_HOME to another folder`);
  }
  const { bavail, bsize } = await fs.statfs(folder);
  if (bavail * bsize >= freeBytesMin) return;
  const free = Math.floor((bavail * bsize) / megabyte);
  throw new AppError(
    "unavailable",
    `the disk of the cache folder ${folder} has ${free} MB left, and a report needs ${freeBytesMin / megabyte} MB`,
  );
}
