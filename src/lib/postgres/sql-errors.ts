// One classification of the errors of PostgreSQL and of its driver: who catches one decides by its class,
// never by a code of its own.
import { errorCode } from "../errors.ts";

/**
 * `retry`: the transaction lost against another one and can be run again. `unavailable`: the
 * database can't be used right now; later it can. `bug`: everything else, a mistake in the code or in the
 * settings that trying again doesn't mend.
 */
export type SqlErrorClass = "retry" | "unavailable" | "bug";

export function classifySqlError(error: unknown): SqlErrorClass {
  const code = errorCode(error);
  if (retryCodes.has(code)) return "retry";
  const isUnavailable =
    unavailableStates.test(code) ||
    findStorageFault(error) !== null ||
    networkCodes.has(code) ||
    (error instanceof Error && driverMessages.test(error.message));
  return isUnavailable ? "unavailable" : "bug";
}

// Serialization failure, deadlock, lock not available within lock_timeout.
const retryCodes = new Set(["40001", "40P01", "55P03"]);

// SQLSTATE: class 08 connection, class 53 no connections, memory or disk left, 57P01 to 57P05 shutdown,
// crash and start-up, 57014 statement timeout, 58000 and 58030 errors of the server's system and disk, 25006 read-only because
// another server took over, 25P03 and 25P04 in a transaction for too long.
const unavailableStates = /^(08...|53...|57P0[1-5]|57014|580[03]0|25006|25P0[34])$/;

// Errors of the server's files that PostgreSQL has no class for: it reports them as an internal error or a missing right.
// https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/error/elog.c (errcode_for_file_access)
const systemStates = /^(XX000|42501)$/;
// The file of each new connection that lists the system's tables; without a reason, and on a full disk alone.
const fullTexts = /No space left on device|Disk quota exceeded|could not write init file/;
const readOnlyTexts = /Read-only file system/;
const brokenTexts =
  /Input\/output error|could not (write|extend|create|fsync|flush|resize|truncate) /;

type StorageFault = "space" | "writing" | "system";

/** Whether the disk of the server lacks space, is read-only, or answers with another error; null for other errors. */
export function findStorageFault(error: unknown): StorageFault | null {
  const code = errorCode(error);
  if (code === "53100") return "space";
  if (code === "25006") return "writing";
  if (!(error instanceof Error && systemStates.test(code))) return null;
  if (fullTexts.test(error.message)) return "space";
  if (readOnlyTexts.test(error.message)) return "writing";
  return brokenTexts.test(error.message) ? "system" : null;
}

const networkCodes = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  // The socket file of a server that doesn't run.
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Whether the server ended the statement because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return errorCode(error) === "57014";
}

/** Whether others held a lock for longer than the statement may wait for it. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === "55P03";
}

/** Whether the server said nothing for so long that the connection can't be used any more. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

// The driver reports these without a code.
const driverMessages =
  /Connection terminated|timeout expired|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/;
