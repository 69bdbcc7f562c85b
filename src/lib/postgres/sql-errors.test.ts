import { expect, test } from "vitest";
import { classifySqlError, type SqlErrorClass } from "./sql-errors.ts";

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

test("a thrown value that is not an error is a bug, whatever it holds", () => {
  for (const thrown of [null, undefined, "40001", { code: "40001" }, new Error("no code")]) {
    expect(classifySqlError(thrown)).toBe("bug");
  }
});
