// Exit codes: every command has 0 for done, 1 for failed and 2 for an invalid command line, but gates, whose codes are answers
// that the help lists: whatever prevents an answer of theirs ends with 3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCliHarness } from "../../test/support/cli-harness.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import type { App } from "../domain/feed/listing.ts";
import { commandWords, loadAllCommands } from "./commands.ts";

let world: TestContext;
let app: App;
const { run } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
  const { id: workspaceId } = await aWorkspace(world.database);
  app = await anApp(world.database, { workspaceId });
  await saveReviews(world.database, app, [aReview({ version: "4.13.0" })]);
});
afterAll(() => world.close());

const commands = await loadAllCommands();
const gates = commands.filter(({ isGate }) => isGate);
test("verdict, status and doctor are the gates", () => {
  expect(gates.map(({ name }) => name).sort()).toEqual(["doctor", "status", "verdict"]);
});

test.each(gates.map(({ name }) => name))("the help of %s lists its exit codes", (name) => {
  const found = commandWords.find(({ word }) => word === name);
  const [, codes = ""] =
    /Exit code (0: .*)\.$/.exec(`${found?.description.split(", such as")[0]}.`) ?? [];
  expect(codes.split("; ").map((part) => part.split(": ")[0])).toEqual(
    name === "verdict" ? ["0", "1", "2", "3"] : ["0", "1", "3"],
  );
});

describe.each(commands.map(({ name, isGate }) => [name, isGate ? 3 : 2] as const))(
  "%s",
  (name, code) => {
    test(`an unknown option ends with ${code}, also with --json`, async () => {
      for (const more of [[], ["--json"]])
        expect((await run([...name.split(" "), "--versoin", "1", ...more])).exitCode).toBe(code);
    });
  },
);

test.each([
  ["status", []],
  ["verdict", ["--app", "a", "--version", "1"]],
])("%s ends with 3 where the database can't be opened", async (name, more) => {
  expect((await run([name, ...more], { break: true })).exitCode).toBe(3);
});

test.each([
  ["no version", []],
  ["a version that no review names", ["--version", "v4.13.0"]],
  ["a share that is none", ["--version", "4.13.0", "--worse-by", "2"]],
  ["a time that is none", ["--version", "4.13.0", "--wait", "soon"]],
  ["a meaning that is none", ["--version", "4.13.0", "--unknown-version", "fine"]],
])("a verdict with %s ends with 3", async (_, more) => {
  expect((await run(["verdict", "--app", app.id, ...more])).exitCode).toBe(3);
});

test("an unknown app ends with 3, and an undecided release with 2", async () => {
  const version = ["--version", "4.13.0"];
  expect((await run(["verdict", "--app", "nosuch", ...version])).exitCode).toBe(3);
  expect((await run(["verdict", "--app", app.id, ...version])).exitCode).toBe(2);
});

test("a mistyped version is answered with those that reviews name, unless it may be new", async () => {
  const argv = ["verdict", "--app", app.id, "--version", "v4.13.0"];
  expect((await run(argv)).stderr).toContain(
    "no review of the app names v4.13.0; the newest that reviews name: 4.13.0",
  );
  const allowed = await run([...argv, "--unknown-version", "undecided"]);
  expect([allowed.exitCode, allowed.stdout]).toEqual([2, expect.stringContaining("undecided")]);
});
