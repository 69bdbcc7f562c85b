import fs from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openCliHarness } from "../../test/support/cli-harness.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { version } from "../lib/version.ts";
import { longFlagOf } from "./command.ts";
import { commandWords, loadAllCommands } from "./commands.ts";

let world: TestContext;
let folder: string;
const { run, runJson } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-cli-"));
});
afterAll(async () => {
  await fs.rm(folder, { recursive: true });
  await world.close();
});

async function aFile(name: string, content: string): Promise<string> {
  const file = path.join(folder, name);
  await fs.writeFile(file, content);
  return file;
}

const commands = await loadAllCommands();

describe("every command", () => {
  test.each(commands.map(({ name }) => name))("%s has help and --json", async (name) => {
    const { exitCode, stdout } = await run([...name.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: starpost ${name} [options]`);
    expect(stdout).toContain("--json");
  });

  test("an option is called in the table as it is on the command line", () => {
    for (const command of commands) {
      for (const [key, { flags }] of Object.entries(command.options)) {
        const long = longFlagOf({ flags });
        const typed = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        expect([typed, `--no-${key}`]).toContain(long);
      }
    }
  });
});

describe("a service at --url that can't be used is explained", () => {
  const problem = JSON.stringify({ code: "unauthorized", detail: "A valid API key is needed." });
  const answers: Record<string, (response: http.ServerResponse) => void> = {
    "/refuses": (response) =>
      response.writeHead(401, { "content-type": "application/problem+json" }).end(problem),
    "/other": (response) => response.writeHead(404).end("<html>nothing here</html>"),
    "/breaks": (response) => void response.destroy(),
  };
  const server = http.createServer(({ url = "" }, response) => {
    const found = Object.entries(answers).find(([path]) => url.startsWith(path));
    found?.[1](response);
  });
  const closed = http.createServer();
  const portOf = (one: http.Server): number => (one.address() as AddressInfo).port;
  let closedPort = 0;
  beforeAll(async () => {
    for (const one of [server, closed])
      await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
    closedPort = portOf(closed);
    closed.close();
  });
  afterAll(() => void server.close());

  test.each([
    ["http", "/refuses", "unauthorized", "A valid API key is needed."],
    ["http", "/other", "unavailable", "refused it"],
    ["http", "/breaks", "unavailable", "the connection was closed before an answer came"],
    ["https", "/refuses", "unavailable", "doesn't speak TLS on this port"],
    ["nowhere", "", "unavailable", "the connection was refused"],
  ])("%s, %s", async (scheme, path, code, words) => {
    const port = scheme === "nowhere" ? closedPort : portOf(server);
    const url = `${scheme === "https" ? "https" : "http"}://127.0.0.1:${port}${path}`;
    const { exitCode, value } = await runJson(["export", "config", "--url", url, "--key", "sp_x"]);
    expect([exitCode, value]).toMatchObject([1, { error: { code } }]);
    expect(JSON.stringify(value)).toContain(words);
  });
});

test("the examples of the help are command lines", async () => {
  const { stdout } = await run(["--help"]);
  const [, examples = ""] = stdout.split("\nExamples:\n");
  const lines = examples.trim().split("\n");
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    const words = line.trim().split(" ").slice(1);
    const command = commands.find(({ name }) => `${words.join(" ")} `.startsWith(`${name} `));
    const flags = Object.values(command?.options ?? {}).map(longFlagOf);
    expect(flags, line).toEqual(
      expect.arrayContaining(words.filter((word) => word.startsWith("--"))),
    );
    expect(command, line).toBeDefined();
  }
});

test("the version is shown, and help names every group", async () => {
  for (const line of ["--version", "-v", "version"]) {
    expect(await run([line])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
  }
  expect((await runJson(["version"])).value).toEqual({ version, node: process.versions.node });
  const { exitCode, stdout } = await run(["--help"]);
  expect(exitCode).toBe(0);
  for (const { name } of commands) expect(stdout).toContain(name.split(" ")[0]);
  for (const { heading } of commandWords) expect(stdout).toContain(`\n${heading}:\n`);
  expect(commands.filter(({ description }) => description === "")).toEqual([]);
});

describe("2: what can't be right", () => {
  const id = "00000000-0000-7000-8000-000000000000";
  test.each([
    [["nonsense"], "unknown command"],
    [["workspace", "create"], "--name"],
    [["workspace", "create", "--name", "A", "--plan", "gold"], "--plan: must be one of"],
    [["workspace", "list", "--colour"], "--colour"],
    [["workspace", "list", "extra"], "too many arguments"],
    [["serve", "--roles", "api,paint"], "--roles: must be some of"],
    [["export", "reviews", "--app", id, "--format", "xml"], "--format: must be jsonl or csv"],
    [["export", "reviews", "--app", id, "--from", "yesterday"], "--from: must be a date"],
    [["export", "reviews", "--app", id, "--from", "2026-11-02", "--to", "2026-11-01"], "--from"],
    [["review", "list", "--stars", "1,9"], "--stars: must be a whole number from 1 to 5"],
    [["review", "list", "--since", "week"], "--since: must be a number of days such as 14d"],
    [["review", "list", "--filter", "colour=red"], "--filter: the filters are app, store"],
    [["review", "list", "--stars", "1", "--filter", "rating=2"], "give it once"],
    [["deliveries", "redeliver"], "--all-expired"],
    [["channel", "update", id], "nothing to change"],
    [["deliveries", "redeliver", "--channel", id], "--all-expired"],
  ])("%j", async (argv, words) => {
    const { exitCode, stdout, stderr } = await run(argv);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    const json = await runJson(argv);
    expect(json).toMatchObject({ exitCode: 2, value: { error: { code: "invalid_input" } } });
  });

  test("no command at all shows the help", async () => {
    const { exitCode, stderr } = await run([]);
    expect([exitCode, stderr.includes("Usage: starpost")]).toEqual([2, true]);
  });

  test("fields are named as they are typed", async () => {
    const { id: workspace } = await aWorkspace(world.database);
    const store = ["--workspace", workspace, "--store", "appstore"];
    const { value } = await runJson(["app", "add", ...store, "--external-id", "tides"]);
    expect(value).toEqual({
      error: {
        code: "invalid_input",
        message: "--external-id: must be a number",
        fields: [{ field: "--external-id", message: "must be a number" }],
      },
    });
    const drop = ["--workspace", workspace, "--name", "D", "--url", "https://a.example"];
    const { stderr } = await run(["channel", "create", ...drop, "--drop-threshold", "0x10"]);
    expect(stderr).toContain("--drop-threshold: must be more than 0");
    const late = [...drop, "--at", "25:00", "--timezone", "Nowhere/Land"];
    const wrong = await run(["channel", "create", ...late]);
    expect(wrong.stderr).toMatch(/--at: must be a time.*--timezone: must be a time zone/);
  });
});

describe("1: what is not there or failed", () => {
  const id = "00000000-0000-7000-8000-000000000000";
  test.each([
    [["key", "revoke", "17", "--yes"]],
    [["key", "create", "--workspace", id, "--name", "A"]],
    [["app", "list", "--workspace", id]],
    [["app", "remove", id, "--yes"]],
    [["channel", "show", id]],
    [["collect", "--app", id]],
    [["deliveries", "show", id]],
    [["deliveries", "list", "--channel", id]],
    [["import", "reviews", "--app", id, "/nowhere"]],
  ])("%j", async (argv) => {
    const { exitCode, value } = await runJson(argv);
    expect(exitCode).toBe(1);
    expect(value).toMatchObject({ error: { code: "not_found" } });
    expect(await run(argv)).toMatchObject({ exitCode: 1, stdout: "", closeCount: 1 });
  });

  test("a file that can't be read or holds no good row", async () => {
    const { id: workspaceId } = await aWorkspace(world.database);
    const app = await anApp(world.database, { workspaceId });
    const missing = await runJson(["import", "reviews", "--app", app.id, "/nowhere"]);
    expect(missing).toMatchObject({ exitCode: 1, value: { error: { code: "invalid_input" } } });
    const file = await aFile("bad.jsonl", "nothing\n");
    const bad = await runJson(["import", "reviews", "--app", app.id, file]);
    expect(bad).toMatchObject({ exitCode: 1, value: { inserted: 0, rejected: [{ line: 1 }] } });
  });

  test("a bug is internal, with its place on stderr", async () => {
    const { exitCode, stdout, stderr } = await run(["workspace", "list", "--json"], {
      break: true,
    });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "internal" } });
    expect(stderr).toContain("TypeError: a bug");
  });

  test("a crawl without an answer for any feed", async () => {
    const { id: workspaceId } = await aWorkspace(world.database);
    const app = await anApp(world.database, { workspaceId });
    const feeds = { listingId: app.listingId, kind: "reviews" as const, regions: ["us"] };
    await world.database.setFeeds({ ...feeds, now: world.clock.now() });
    const failed = await run(["collect", "--app", app.id], { outcome: "unknown" });
    expect(failed).toMatchObject({ exitCode: 1 });
    const { exitCode, stdout, stderr } = await run(["collect", "--app", app.id, "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ kind: "reviews", region: "us", outcome: "ok" }]);
    expect(stderr).toContain("page 1, 50 reviews so far");
  });
});

test("from a workspace to an export, every step answers with one JSON value", async () => {
  const created = await runJson(["workspace", "create", "--name", "Harbour"]);
  expect(created).toMatchObject({ exitCode: 0, value: { name: "Harbour", plan: "studio" } });
  const workspace = ["--workspace", String(created.value["id"])];
  const key = await runJson(["key", "create", ...workspace, "--name", "Desk"]);
  expect(key.value["key"]).toMatch(/^sp_/);
  const added = await runJson([
    ...["app", "add", ...workspace, "--store", "appstore", "--external-id", "4242"],
    ...["--countries", "us,gb", "--no-collect"],
  ]);
  const app = ["--app", String(added.value["id"])];
  expect(added.value).toMatchObject({ externalAppId: "4242", countries: [] });
  const channel = await runJson([
    ...["channel", "create", ...workspace, "--name", "Hook", "--url", "https://a.example/x"],
    ...["--stars", "1,2", "--topics", "all", "--translate", "--min-sample-size", "50"],
  ]);
  expect(channel.value).toMatchObject({ stars: [1, 2], topics: null, translate: true });
  expect(channel.value["secret"]).toMatch(/^whsec_/);
  const id = String(channel.value["id"]);
  const topic = ["speed", ...workspace];
  const defined = await runJson(["topic", "create", ...topic, "--phrases", "slow*,sluggish"]);
  expect(defined.value).toMatchObject({ name: "speed", phrases: ["slow*", "sluggish"] });

  const file = await aFile("r.csv", 'ID,Rating,Date,Text\n7,1,2026-11-20,"Slow, ""very"""\n');
  const imported = await runJson(["import", "reviews", ...app, file, "--notify"]);
  expect(imported).toMatchObject({ exitCode: 0, value: { inserted: 1, queued: 1 } });
  const preview = await runJson(["topic", "preview", ...workspace, "--phrases", "very"]);
  expect(preview.value).toMatchObject({
    readCount: 1,
    matchCount: 1,
    samples: [{ words: ["very"] }],
  });
  const topics = await runJson(["topic", "list", ...workspace]);
  expect(topics.value).toMatchObject([{ name: "speed", matchCount: 1 }]);
  await runJson(["topic", "update", ...topic, "--phrases", "fast"]);
  expect(await runJson(["topic", "remove", ...topic, "--yes"])).toMatchObject({ exitCode: 0 });
  const listed = await runJson(["deliveries", "list", "--channel", id]);
  expect(listed.value).toMatchObject([{ status: "pending", event: "review.created" }]);
  const updated = await runJson(["channel", "update", id, "--stars", "all", "--no-translate"]);
  expect(updated.value).toMatchObject({ stars: null, translate: false, name: "Hook" });

  const exported = await runJson(["export", "reviews", ...app]);
  expect(exported.value).toMatchObject([{ storeId: "7", rating: 1, date: "2026-11-20T00:00:00Z" }]);
  const jsonl = await run(["export", "reviews", ...app]);
  expect(JSON.parse(jsonl.stdout)).toMatchObject({ storeId: "7", versions: [] });
  const csv = await run(["export", "reviews", ...app, "--format", "csv"]);
  expect(csv.stdout).toContain('"Slow, ""very"""');
  expect(csv.stdout.split("\r\n")).toHaveLength(3);

  await runJson(["workspace", "set-plan", workspace[1] ?? "", "studio"]);
  const { value: audit } = await runJson(["audit", "list", ...workspace]);
  const actions = (audit as unknown as { action: string }[]).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["reviews.imported", "workspace.plan_changed"]));
});

test("lists are arrays, and tables for people; control characters never reach a terminal", async () => {
  await aWorkspace(world.database, { name: "Bell\u001b[31m\u0007" });
  const { value } = await runJson(["workspace", "list"]);
  expect(Array.isArray(value)).toBe(true);
  const { stdout } = await run(["workspace", "list"]);
  expect(stdout).toMatch(/^name +plan +created at +id\n/);
  expect(stdout).toContain("Bell[31m");
});

test("a service runs until it is stopped and prints its address", async () => {
  const served = await runJson(["serve", "--roles", "deliver,api"]);
  expect(served).toMatchObject({ exitCode: 0, value: { url: "http://api+deliver.example" } });
  vi.doMock("../features/demo/demo.ts", () => ({
    async startDemo({ print }: { print: (line: string) => void }) {
      print("a demo line");
      return { url: "http://demo.example", async close() {} };
    },
  }));
  const demo = await run(["demo", "--json"]);
  expect([JSON.parse(demo.stdout), demo.stderr]).toEqual([
    { url: "http://demo.example" },
    "a demo line\n",
  ]);
  expect(await runJson(["migrate"])).toMatchObject({
    value: { migrated: ["001-schema.sql"] },
  });
});
