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
    networkCodes.has(code) ||
    (error instanceof Error && driverMessages.test(error.message));
  return isUnavailable ? "unavailable" : "bug";
}

// Serialization failure, deadlock, lock not available within lock_timeout.
const retryCodes = new Set(["40001", "40P01", "55P03"]);

// SQLSTATE: class 08 connection, class 53 no connections, memory or disk left, 57P01 to 57P05 shutdown,
// crash and start-up, 57014 statement timeout, 25006 read-only because another server took over, 25P03
// idle in a transaction for too long.
const unavailableStates = /^(08...|53...|57P0[1-5]|57014|25006|25P03)$/;

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

/** Whether the server said nothing for so long that the connection can't be used any more. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

// The driver reports these without a code.
const driverMessages =
  /Connection terminated|timeout expired|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/;
