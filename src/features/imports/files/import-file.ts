// A file to import, as it comes and as rows, and how one that can't be imported is refused.
import { AppError } from "../../../domain/error.ts";

/** In JSON `line` is the number of the review; `part` is its number in a line that has several. */
export type RowPosition = { line: number; part?: number };

export type ImportRow =
  | (RowPosition & { fields: Fields })
  /** Why the row is rejected, in words. */
  | (RowPosition & { reason: string });

/** Values by name. In CSV all of them are text. */
export type Fields = Readonly<Record<string, unknown>>;

/** A file to import: its bytes, and its name, whose extension can determine the format. */
export type ImportSource = {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** Whether `chunks` may be read more than once. */
  isRepeatable?: true;
  /** How large a JSON document may be, which is in memory as a whole; 64 MB by default. */
  documentBytesMax?: number;
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
  return new AppError("invalid_input", `${notImported}: ${reason}`);
}

export const notImported = "the file can't be imported";

/** The header lacks columns for fields that are needed: others may hold them. */
export class MissingColumnsError extends AppError {
  readonly missing: readonly string[];
  readonly columns: readonly string[];

  constructor(
    reason: string,
    { missing, columns }: { missing: readonly string[]; columns: readonly string[] },
  ) {
    super("invalid_input", reason);
    this.missing = missing;
    this.columns = columns;
  }
}
