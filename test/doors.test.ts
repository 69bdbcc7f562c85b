// Doors carry out operations: the frame alone writes the audit log and opens transactions for them.
import { expect, test } from "vitest";
import { listSourceFiles } from "./support/source-tree.ts";

const production = listSourceFiles(["src"]).filter((file) => !file.isTest);

function offenders(pattern: RegExp, except: readonly string[] = []): string[] {
  return production
    .filter((file) => pattern.test(file.code) && !except.includes(file.path))
    .map((file) => file.path);
}

test("only the frame writes the audit log, and people without a workspace", () => {
  const frame = ["src/operations/frame.ts", "src/operations/long-work.ts"];
  // A recipient answers by a link in an e-mail, without an account.
  const people = ["src/use-cases/channels/email-recipients.ts"];
  const record = ["src/use-cases/audit.ts", ...frame, ...people];
  const recording = offenders(/\brecordAudit\(/, record);
  expect(recording.filter((file) => !file.startsWith("src/use-cases/accounts/"))).toEqual([]);
  const itself = [
    "src/database/delivery/channels.ts",
    "src/database/collecting/learned-shapes.ts",
    "src/app/encryption-key.ts",
  ];
  const statement = ["src/database/accounts/audit.ts", "src/use-cases/audit.ts"];
  expect(offenders(/\binsertAuditEntry\(/, [...statement, ...itself])).toEqual([]);
  for (const file of production.filter(({ path }) => itself.includes(path)))
    expect([file.path, /\bsystemActor\b|\bactor\b/.test(file.code)]).toEqual([file.path, true]);
});

test("no door opens a transaction, or carries out a file's import or an erasure by itself", () => {
  const ofDoors = (broken: readonly string[]) =>
    broken.filter((file) => /^src\/(api|dashboard-api|cli|mcp|report|demo)\//.test(file));
  expect(ofDoors(offenders(/\.transaction\(/))).toEqual([]);
  const acts = "importReviews|importReviewsOfApps|importRatings|importWorkspace|eraseReview";
  const used = new RegExp(`import \\{[^}]*\\b(${acts})\\b[^}]*\\} from "[^"]*use-cases/`);
  expect(ofDoors(offenders(used))).toEqual([]);
});
