// Files that may be missing.
import fs from "node:fs/promises";
import { isFileMissing } from "./errors.ts";

/**
 * null when the file does not exist.
 *
 * @throws any other error of the file system
 */
export async function readTextIfThere(file: string): Promise<string | null> {
  try {
    return await fs.readFile(file, "utf8");
  } catch (error) {
    if (isFileMissing(error)) return null;
    throw error;
  }
}

/** Whether there is something under this path that this process can see. */
export function exists(path: string): Promise<boolean> {
  return fs.access(path).then(
    () => true,
    () => false,
  );
}
