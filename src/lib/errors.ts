// Reading what was thrown, which may be anything. A code is what Node.js and PostgreSQL's driver put on errors: "ENOENT", "ECONNREFUSED", "40001".

/** "" for other values and for errors without a text code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

/** Whether a file or folder is missing. */
export function isFileMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
