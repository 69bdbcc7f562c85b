// Files with several apps on the command line.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCliHarness } from "../../test/support/cli-harness.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";

let world: TestContext;
const { run, runJson } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
});
afterAll(() => world.close());

const header = "reviewId,score,at,app_id";
const rows = ["r1,1,2026-11-01,com.example.ferry", "r2,2,2026-11-02,com.example.radio"];
const input = [header, ...rows, "r3,3,2026-11-03,com.example.elsewhere"].join("\n");

async function aWorkspaceWithTwo() {
  const workspace = await aWorkspace(world.database);
  const common = { workspaceId: workspace.id, store: "googleplay", isPrivate: true } as const;
  const ferry = await anApp(world.database, { ...common, externalAppId: "com.example.ferry" });
  const radio = await anApp(world.database, { ...common, externalAppId: "com.example.radio" });
  return { workspace, ferry, radio };
}

describe("--all-apps", () => {
  test.each([
    ["with --workspace", true],
    ["with an app of the workspace", false],
  ])("%s, each row goes to the app that it names", async (_, isNamed) => {
    const { workspace, ferry, radio } = await aWorkspaceWithTwo();
    const place = isNamed ? ["--workspace", workspace.id] : ["--app", ferry.id];
    const argv = ["import", "reviews", "-", "--all-apps", ...place];
    const { value } = await runJson(argv, { input });
    expect(value).toMatchObject({ inserted: 2, rejectedCount: 1 });
    const counts = Object(value["apps"]).map((app: { id: string; inserted: number }) => [
      app.id,
      app.inserted,
    ]);
    expect(counts.sort()).toEqual(
      [
        [ferry.id, 1],
        [radio.id, 1],
      ].sort(),
    );
    // Each app's import is in the audit log.
    const audit = { workspaceId: workspace.id, subject: null, before: null, limit: 9 };
    const subjects = (await world.database.listWorkspaceAudit(audit)).map((one) => one.subject);
    expect(subjects).toEqual(expect.arrayContaining([ferry.id, radio.id]));
  });
});

describe("--only", () => {
  test("takes the rows with that value alone", async () => {
    const { ferry } = await aWorkspaceWithTwo();
    const argv = ["import", "reviews", "-", "--app", ferry.id];
    const only = ["--only", "app_id=com.example.ferry"];
    expect((await runJson([...argv, ...only], { input })).value).toMatchObject({ inserted: 1 });
  });

  test.each(["app_id", "=x", "app_id="])("%s is refused", async (pair) => {
    const { ferry } = await aWorkspaceWithTwo();
    const argv = ["import", "reviews", "-", "--app", ferry.id, "--only", pair];
    const { exitCode, stderr } = await run(argv, { input });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("a column and its value")]);
  });
});

test("without --app and --all-apps the missing option is named", async () => {
  const { exitCode, stderr } = await run(["import", "reviews", "-"], { input });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--all-apps")]);
});
