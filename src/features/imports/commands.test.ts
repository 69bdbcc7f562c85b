import { afterAll, beforeAll, expect, test } from "vitest";
import { openCliHarness } from "../../../test/support/cli-harness.ts";
import {
  anApp,
  aReview,
  aWorkspace,
  saveReviews,
  saveSnapshots,
} from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { formatForPeople } from "../../cli/output.ts";
import { describeImport } from "./commands.ts";
import { emptyResult, type ImportResult } from "./import-result.ts";

let context: TestContext;
const cli = openCliHarness(() => context);
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

function describe(result: Partial<ImportResult>, isJson = false) {
  const notes: string[] = [];
  const shell = { isJson, note: (line: string) => void notes.push(line) };
  return { notes, outcome: describeImport(shell, { ...emptyResult(), ...result }) };
}

const rejected = [
  { line: 3, reason: "rating must be a whole number from 1 to 5" },
  { line: 7, reason: "the line is not a JSON object" },
];

test("people read every rejected row in a line of its own, and how many more there are", () => {
  const { outcome, notes } = describe({ inserted: 2, rejected, rejectedCount: 5 });
  const lines = formatForPeople(outcome).trimEnd().split("\n");
  expect(lines).toContain("rejected   5");
  expect(lines.slice(-3)).toEqual([
    "line 3: rating must be a whole number from 1 to 5",
    "line 7: the line is not a JSON object",
    "and 3 more",
  ]);
  expect([outcome.isFailed, notes]).toEqual([false, []]);
});

test("scripts get the result as it is", () => {
  const { outcome } = describe({ inserted: 1, rejected, rejectedCount: 2 }, true);
  expect(outcome.value).toMatchObject({ inserted: 1, rejected, rejectedCount: 2 });
});

test.each([
  [{}, "nothing was imported from the file: it has no rows"],
  [{ rejected, rejectedCount: 2 }, "nothing was imported from the file: all 2 rows were rejected"],
])("when nothing was imported the reason is shown", (result, note) => {
  for (const isJson of [true, false]) {
    const { outcome, notes } = describe(result, isJson);
    expect([outcome.isFailed, notes]).toEqual([true, [note]]);
  }
});

test("an import that ended early fails, says why and shows what it kept", () => {
  const stopped = { reason: "the database is unavailable" };
  const { outcome, notes } = describe({ inserted: 2_000, stopped });
  expect(outcome.isFailed).toBe(true);
  expect(notes.join()).toContain("the import ended early: the database is unavailable");
  expect(formatForPeople(outcome)).toContain("inserted   2000");
  expect(describe({ inserted: 2_000, stopped }, true).outcome.value).toMatchObject({ stopped });
});

test("an export of the Play Console with stars alone is not a failure", () => {
  const line = { line: 2, reason: "stars without a review have no id" };
  const starsAlone = { rejected: [line], rejectedCount: 1, starsOnly: 1 };
  expect(describe(starsAlone).outcome.isFailed).toBe(false);
});

test("a workspace leaves by export and comes back by import, with its ratings", async () => {
  const workspace = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId: workspace.id, countries: ["us"] });
  await saveReviews(context.database, app, [aReview({})]);
  await saveSnapshots(context.database, app, [{}]);
  const ratings = await cli.run(["export", "ratings", "--app", app.id]);
  expect(JSON.parse(ratings.stdout)).toMatchObject({ region: "us", total: 10 });
  const exported = await cli.run(["export", "workspace", "--workspace", workspace.id]);
  const file = ["import", "workspace", "-"];
  const refused = await cli.runJson(file, { input: exported.stdout });
  expect([refused.exitCode, JSON.stringify(refused.value)]).toEqual([
    1,
    expect.stringContaining("conflict"),
  ]);
  await cli.run(["workspace", "delete", workspace.id, "--yes"]);
  const { exitCode, value } = await cli.runJson(file, { input: exported.stdout });
  expect([exitCode, value]).toMatchObject([
    0,
    { id: workspace.id, imported: { app: 1, rating: 1, review: 1 }, rejected: [] },
  ]);
});
