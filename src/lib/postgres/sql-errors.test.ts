import { expect, test } from "vitest";
import { classifySqlError, findStorageFault, type SqlErrorClass } from "./sql-errors.ts";

const byCode: Record<string, SqlErrorClass> = {
  // Lost against another transaction.
  "40001": "retry",
  "40P01": "retry",
  "55P03": "retry",
  // Connection, resources, shutdown, timeouts, another server took over.
  "08000": "unavailable",
  "08003": "unavailable",
  "08006": "unavailable",
  "53100": "unavailable",
  "53300": "unavailable",
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
  "57P05": "unavailable",
  "57014": "unavailable",
  "25006": "unavailable",
  "25P03": "unavailable",
  ECONNREFUSED: "unavailable",
  ECONNRESET: "unavailable",
  ENOENT: "unavailable",
  EAI_AGAIN: "unavailable",
  ETIMEDOUT: "unavailable",
  // Mistakes: a constraint, a missing table, a wrong password, no such file.
  "23505": "bug",
  "23503": "bug",
  "42P01": "bug",
  "42601": "bug",
  "22P02": "bug",
  "28P01": "bug",
  EACCES: "bug",
  "": "bug",
};

test.each(Object.entries(byCode))(
  "an error with the code '%s' is classified as %s",
  (code, kind) => {
    expect(classifySqlError(Object.assign(new Error("x"), { code }))).toBe(kind);
  },
);

test.each([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "timeout expired",
  "Query read timeout",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
])("the driver's message '%s' means that the database is unavailable", (message) => {
  expect(classifySqlError(new Error(message))).toBe("unavailable");
});

test.each<[string, string, SqlErrorClass, string | null]>([
  ["53100", 'could not extend file "base/1/2": No space left on device', "unavailable", "space"],
  [
    "53100",
    "could not extend file: wrote only 4096 of 8192 bytes at block 7",
    "unavailable",
    "space",
  ],
  ["53200", "out of memory", "unavailable", null],
  ["58030", "could not read block 7 in file: Input/output error", "unavailable", null],
  ["58000", "could not determine the size of the file", "unavailable", null],
  ["57P01", "terminating connection due to administrator command", "unavailable", null],
  [
    "57P02",
    "terminating connection because of crash of another server process",
    "unavailable",
    null,
  ],
  ["25006", "cannot execute INSERT in a read-only transaction", "unavailable", "writing"],
  ["25P04", "terminating connection due to transaction timeout", "unavailable", null],
  ["XX000", "could not write init file", "unavailable", "space"],
  [
    "XX000",
    'could not write to file "base/pgsql_tmp/x": Disk quota exceeded',
    "unavailable",
    "space",
  ],
  ["XX000", 'could not fsync file "base/1/2": Unknown error', "unavailable", "system"],
  ["XX000", 'could not open file "base/1/2": Input/output error', "unavailable", "system"],
  ["42501", 'could not open file "base/1/2": Read-only file system', "unavailable", "writing"],
  ["42501", "permission denied for table reviews", "bug", null],
  ["XX000", "cache lookup failed for relation 7", "bug", null],
  ["XX001", "invalid page in block 7 of relation base/1/2", "bug", null],
  ["58P01", 'could not open file "base/1/2": No such file or directory', "bug", null],
])("the server's system: %s %s is %s, and lacks %s", (code, message, kind, fault) => {
  const error = Object.assign(new Error(message), { code });
  expect([classifySqlError(error), findStorageFault(error)]).toEqual([kind, fault]);
});

test("a thrown value that is not an error is a bug, whatever it holds", () => {
  for (const thrown of [null, undefined, "40001", { code: "40001" }, new Error("no code")]) {
    expect(classifySqlError(thrown)).toBe("bug");
  }
});
