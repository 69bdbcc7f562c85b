// Errors of the database in words that users may read.
import { classifySqlError, findStorageFault } from "../lib/postgres/sql-errors.ts";
import { AppError } from "./error.ts";

const storageFaults = {
  none: "",
  system: ": it can't write to its disk",
  space: ": it has no space left on its disk",
  writing: ": it is read-only",
};

/** `unavailable` for what passes by itself; anything else stays what it is: a bug. */
export function toAppError(error: unknown): unknown {
  const kind = classifySqlError(error);
  if (kind === "bug") return error;
  const message =
    kind === "retry"
      ? "the database is busy: a change met others too often"
      : `the database is unavailable${storageFaults[findStorageFault(error) ?? "none"]}`;
  return new AppError("unavailable", message, { cause: error });
}
