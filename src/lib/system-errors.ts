// Errors of the operating system as sentences: a full disk, a file that this user may not read, a folder in place of a file.
import os from "node:os";
import { getSystemErrorMap } from "node:util";

const networkCalls = /^(connect|getaddrinfo|listen|bind|accept|query\w*)$/;
/** A quota that is used up has no name in Node.js. */
const texts = new Map([[os.constants.errno.EDQUOT, "disk quota exceeded"]]);

/** Null for other errors, and for those of the network. The path is the error's own, else `place`. */
export function explainSystemError(error: unknown, place = "a file"): string | null {
  if (!(error instanceof Error && "errno" in error && typeof error.errno === "number")) return null;
  if (!("syscall" in error) || networkCalls.test(String(error.syscall))) return null;
  const [, known] = getSystemErrorMap().get(error.errno) ?? [];
  const text = texts.get(Math.abs(error.errno)) ?? known ?? error.message;
  const path = "path" in error && typeof error.path === "string" ? error.path : place;
  return `${path}: ${text}`;
}
