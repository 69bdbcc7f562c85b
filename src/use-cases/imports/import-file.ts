// A file to import, as it comes and as rows, and how one that can't be imported is refused.
import { AppError } from "../../domain/error.ts";

export type ImportRow =
  | { line: number; fields: Fields }
  /** Why the row is rejected, in words. */
  | { line: number; reason: string };

/** Values by name. In CSV all of them are text. */
export type Fields = Readonly<Record<string, unknown>>;

/** A file to import: its bytes, and its name, whose extension can determine the format. */
export type ImportSource = {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** The columns of a file that has names of its own, by field: `{ rating: "Stars" }`. */
  columnNames?: Readonly<Record<string, string>>;
};

export type ImportFile = {
  /** The column names of a CSV; null for JSON. */
  columns: readonly string[] | null;
  rows: AsyncIterable<ImportRow>;
};

/** Names no field: the option that names the file is right. */
export function unreadableFile(reason: string): AppError {
  return new AppError("invalid_input", `the file can't be imported: ${reason}`);
}
