// Files that a command line names: a relative path begins at the folder that the user called from.
import fs from "node:fs/promises";
import path from "node:path";
import { callerFolder } from "../config/config.ts";
import { failField } from "../domain/validation-errors.ts";
import { messageOf } from "../lib/errors.ts";

export function pathOf(name: string): string {
  return path.resolve(callerFolder(), name);
}

/** @throws AppError `invalid_input` for the field */
export async function readNamedFile(
  name: string,
  { field, bytesMax }: { field: string; bytesMax: number },
): Promise<Buffer> {
  const file = pathOf(name);
  try {
    if ((await fs.stat(file)).size <= bytesMax) return await fs.readFile(file);
  } catch (error) {
    return failField(field, `${name} can't be read: ${messageOf(error)}`);
  }
  return failField(field, `${name} is larger than ${bytesMax / 1_000_000} MB`);
}
