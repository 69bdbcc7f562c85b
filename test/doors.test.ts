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
  // A recipient answers by a link in an e-mail, without an account; people sign in before they have one.
  const people = [
    "src/use-cases/channels/email-recipients.ts",
    "src/features/single-sign-on/sign-in.ts",
  ];
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

/** A file of a feature with rows of a door is one. */
const doorRows = [
  "src/api/endpoint.ts",
  "src/dashboard-api/dashboard-route.ts",
  "src/cli/command.ts",
];
const isDoor = ({ path, imports }: (typeof production)[number]): boolean =>
  /^src\/(api|dashboard-api|cli)\//.test(path) ||
  (path.startsWith("src/features/") && imports.some((one) => doorRows.includes(one)));

test("no door opens a transaction, or carries out a file's import or an erasure by itself", () => {
  const doors = production.filter(isDoor);
  expect(doors.filter(({ path }) => path.startsWith("src/features/")).length).toBeGreaterThan(15);
  const opening = doors.filter(({ code }) => /\.transaction\(/.test(code));
  expect(opening.map(({ path }) => path)).toEqual([]);
  const acts = "importReviews|importReviewsOfApps|importRatings|importWorkspace|eraseReview";
  const used = new RegExp(`import \\{[^}]*\\b(${acts})\\b[^}]*\\} from "([^"]*)"`, "g");
  const alone = doors.flatMap(({ path, text }) =>
    [...text.matchAll(used)]
      .filter(([, , from = ""]) => !/operations/.test(from))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(alone).toEqual([]);
});
