// How commands resolve references, and the default workspace.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCliHarness } from "../../test/support/cli-harness.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";

let world: TestContext;
const { run, runJson } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
});
afterAll(() => world.close());

const createKey = ["key", "create", "--name", "Desk"];

test("a workspace is named where there are several: by option, or by STARPOST_WORKSPACE", async () => {
  const empty = await openTestContext();
  const { run, runJson } = openCliHarness(() => empty);
  const none = await run(createKey);
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain('starpost workspace create --name "My team"');
  const only = await aWorkspace(empty.database, { name: "Harbour" });
  expect((await runJson(createKey)).value).toMatchObject({ workspaceId: only.id });
  const { id } = await aWorkspace(empty.database, { name: "Light House" });
  const several = await run(createKey);
  expect([several.exitCode, several.stderr.includes("Harbour")]).toEqual([2, true]);
  expect(several.stderr).toContain("STARPOST_WORKSPACE");
  const named = await runJson([...createKey, "--workspace", "light house"]);
  expect(named.value).toMatchObject({ workspaceId: id });
  const env = { STARPOST_WORKSPACE: "Light House" };
  expect((await runJson(createKey, { env })).value).toMatchObject({ workspaceId: id });
  const all = await runJson(["key", "list"]);
  const own = await runJson(["key", "list"], { env });
  expect([all.value, own.value].map((keys) => Array.isArray(keys) && keys.length)).toEqual([3, 2]);
  await empty.close();
});

test("an app is found by name, by its id in the store and by the beginning of its id", async () => {
  const world = await openTestContext();
  const { run } = openCliHarness(() => world);
  const { id: workspaceId } = await aWorkspace(world.database);
  const app = await anApp(world.database, { workspaceId, name: "Tidepool" });
  for (const name of ["Tidepool", "tidepool", app.externalAppId, app.id.slice(0, 20)]) {
    const { exitCode, stdout } = await run(["export", "reviews", "--app", name]);
    expect([name, exitCode, stdout]).toEqual([name, 0, ""]);
  }
  const unknown = await run(["export", "reviews", "--app", "Rockpool"]);
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain('there is no app "Rockpool"; there is Tidepool');
  await anApp(world.database, { workspaceId, name: "Tidepool" });
  const twice = await run(["export", "reviews", "--app", "Tidepool"]);
  expect([twice.exitCode, twice.stderr.includes('--app: "Tidepool" fits several')]).toEqual([
    2,
    true,
  ]);
  await world.close();
});

test("app list shows how far the feeds of each app were read", async () => {
  const { id: workspaceId } = await aWorkspace(world.database);
  await anApp(world.database, { workspaceId, name: "Reef" });
  const place = ["--store", "appstore", "--external-id", "4242", "--countries", "us,gb"];
  await run(["app", "add", "--workspace", workspaceId, "--name", "Skerry", ...place]);
  const { stdout } = await run(["app", "list", "--workspace", workspaceId]);
  expect(stdout).toMatch(
    /^name +store +external app id +reading +last read at +next read at +id\n/,
  );
  expect(stdout).toMatch(
    /^Skerry +appstore +4242 +0 of 4 feeds read +- +2\d{3}-\S+ +[\da-f-]{36}$/m,
  );
  expect(stdout).toMatch(/^Reef .*not collected/m);
});

test("apps of a channel are named like any other", async () => {
  const { id: workspaceId } = await aWorkspace(world.database);
  const app = await anApp(world.database, { workspaceId, name: "Sandbank" });
  const channel = ["--workspace", workspaceId, "--name", "Hook", "--url", "https://a.example/"];
  const created = await runJson(["channel", "create", ...channel, "--apps", "Sandbank"]);
  expect(created.value).toMatchObject({ apps: [app.id] });
});

test("of two channels with one name, the message has type, destination and id", async () => {
  const { id: workspaceId } = await aWorkspace(world.database);
  const target = ["channel", "create", "--workspace", workspaceId, "--name", "Twin"];
  await run([...target, "--url", "https://a.example/one"]);
  await run([...target, "--url", "https://a.example/two"]);
  const { exitCode, stderr } = await run(["channel", "show", "Twin"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /"Twin" fits several: Twin \(webhook https:\/\/a.example\/one, [\da-f-]{36}\), Twin \(webhook https:\/\/a.example\/two, [\da-f-]{36}\)/,
  );
});

test("a person at a terminal is asked before something is destroyed, and a script needs --yes", async () => {
  const { id: workspaceId } = await aWorkspace(world.database);
  const aName = async (name: string): Promise<string> => {
    const target = ["--workspace", workspaceId, "--url", "https://a.example/"];
    expect((await run(["channel", "create", ...target, "--name", name])).exitCode).toBe(0);
    return name;
  };
  const no = await run(["channel", "delete", await aName("Low tide")], {
    isTerminal: true,
    input: "n\n",
  });
  expect([no.exitCode, no.stdout]).toEqual([1, ""]);
  expect(no.stderr).toContain("Delete the channel Low tide with its pending deliveries? [y/N]");
  expect(no.stderr).toContain("nothing was changed");
  for (const key of ["\u0003", "\u0004", ""]) {
    const left = await run(["channel", "delete", "Low tide"], { isTerminal: true, input: key });
    expect(left.exitCode).toBe(1);
    expect(left.stderr).toContain("nothing was changed");
    expect(left.stderr).not.toContain("error:");
  }
  const confirmed = { isTerminal: true, input: "yes\n" };
  expect(await run(["channel", "delete", "Low tide"], confirmed)).toMatchObject({ exitCode: 0 });
  for (const isTerminal of [true, false]) {
    const argv = ["channel", "delete", await aName("Ebb"), "--yes"];
    const { exitCode, stderr } = await run(argv, { isTerminal });
    expect([exitCode, stderr]).toEqual([0, ""]);
  }
  const unasked = await run(["channel", "delete", await aName("Flood")]);
  expect([unasked.exitCode, unasked.stdout]).toEqual([2, ""]);
  expect(unasked.stderr).toContain("--yes: is needed away from a terminal");
  expect((await run(["channel", "show", "Flood"])).exitCode).toBe(0);
});

test("reviews are imported from standard input; a terminal shows a bar for a file, others lines", async () => {
  const { id: workspaceId } = await aWorkspace(world.database);
  const app = await anApp(world.database, { workspaceId });
  const input = '{"id":"1","rating":2,"date":"2026-11-20","text":"Slow"}\n';
  const argv = ["import", "reviews", "--app", app.id, "-"];
  const piped = await run([...argv, "--json"], { input });
  expect(JSON.parse(piped.stdout)).toMatchObject({ inserted: 1 });
  expect(piped.stderr).toContain("1 rows\n");
  const shown = await run(argv, { input, isTerminal: true });
  expect(shown.stderr).toContain("\r\u001b[Kimporting … 1 rows\r\u001b[K");
});
