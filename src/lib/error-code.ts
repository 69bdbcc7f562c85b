// The `code` that Node.js and PostgreSQL's driver put on their errors: "ENOENT", "ECONNREFUSED", "40001".

/** "" for what is no error or has no code of text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

/** Whether a file or folder is missing. */
export function isFileMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}
