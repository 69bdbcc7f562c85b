// The commands of guides run as they are printed: official access to the stores, moving from another product, and
// events with a text of one's own.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateStoreKeys } from "../simulator/store-keys.ts";
import { openCliHarness } from "./support/cli-harness.ts";
import { root } from "./support/source-tree.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let world: TestContext;
let folder: string;
const { run, runJson } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-guides-"));
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await world.close();
});

/** Command lines of a page as arguments; files are those of the test's folder. */
function listCommands(page: string): string[][] {
  const text = fs.readFileSync(path.join(root, "docs", page), "utf8");
  return [...text.matchAll(/^starpost (.+)$/gm)].map(([, line = ""]) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = ""]) =>
      /\.(p8|csv|jsonl?)$/.test(word) ? path.join(folder, word) : (quoted ?? word),
    ),
  );
}

test("store-credentials.md: accounts are added, used, listed and removed", async () => {
  const { team, service } = generateStoreKeys();
  fs.writeFileSync(path.join(folder, "AuthKey_ABC123DEFG.p8"), team.privateKeyPem);
  const account = {
    type: "service_account",
    client_email: service.clientEmail,
    private_key_id: "0123",
    private_key: service.privateKeyPem,
  };
  fs.writeFileSync(path.join(folder, "service-account.json"), JSON.stringify(account));
  await run(["workspace", "create", "--name", "Accounts"]);
  const env = { STARPOST_WORKSPACE: "Accounts" };
  const commands = listCommands("store-credentials.md");
  expect(commands).toHaveLength(6);
  for (const argv of commands.slice(0, -1)) {
    const { exitCode, stderr } = await run(argv, { env });
    expect([argv, exitCode, stderr]).toEqual([argv, 0, ""]);
  }
  // As the page says: not while an app is read through it.
  const [removal = []] = commands.slice(-1);
  expect((await run(removal, { env })).exitCode).toBe(1);
  await run(["app", "remove", "1234567890", "--yes"], { env });
  expect((await run(removal, { env })).exitCode).toBe(0);
});

test("moving.md: an export with other columns is imported, twice with the same result", async () => {
  const workspace = ["--workspace", "Moving"];
  await run(["workspace", "create", "--name", "Moving"]);
  const following = ["--store", "appstore", "--external-id", "989804926", "--no-collect"];
  expect((await run(["app", "add", ...workspace, ...following])).exitCode).toBe(0);
  const lines = [
    "App,Review ID,Posted at,Stars,Title,Content,User,Country,App version,Id",
    'Tides,8801,2026-11-20T09:12:00Z,2,Slow,"Slow, since the update.",Plover,us,4.2.1,export-1',
    "Tides,8802,2026-11-21,5,,Quick.,Knot,gb,4.2.1,export-2",
  ];
  fs.writeFileSync(path.join(folder, "export.csv"), lines.join("\n"));
  const argv = listCommands("moving.md").find(([word]) => word === "import") ?? [];
  expect(await runJson(argv)).toMatchObject({ exitCode: 0, value: { inserted: 2, rejected: [] } });
  expect((await runJson(argv)).value).toMatchObject({ inserted: 0, unchanged: 2 });
  const { stdout } = await run(["export", "reviews", "--app", "989804926"]);
  const exported = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(exported.find(({ storeId }) => storeId === "8801")).toMatchObject({
    rating: 2,
    title: "Slow",
    text: "Slow, since the update.",
    author: "Plover",
    version: "4.2.1",
  });
});

test("local-development.md: an imported review is sent, and again after an edit", async () => {
  const page = fs.readFileSync(path.join(root, "docs/local-development.md"), "utf8");
  const [, row = ""] = /^echo '(.+)' > review\.jsonl$/m.exec(page) ?? [];
  const file = path.join(folder, "review.jsonl");
  const commands = listCommands("local-development.md");
  const find = (noun: string, verb: string): string[] =>
    commands.find((argv) => argv[0] === noun && argv[1] === verb) ?? [];
  const env = { STARPOST_WORKSPACE: "Dev" };
  await run(find("workspace", "create"));
  const channel = ["--name", "Local", "--url", "https://example.com/hook"];
  expect((await run(["channel", "create", ...channel], { env })).exitCode).toBe(0);
  expect((await run(find("app", "add"), { env })).exitCode).toBe(0);
  fs.writeFileSync(file, row);
  const importing = find("import", "reviews");
  expect((await runJson(importing, { env })).value).toMatchObject({ inserted: 1, queued: 1 });
  fs.writeFileSync(file, row.replace('"rating":1', '"rating":3').replace("T08:", "T09:"));
  expect((await runJson(importing, { env })).value).toMatchObject({ updated: 1, queued: 1 });
});

test.each([
  ["stars", "must be pairs like rating=Stars"],
  ["id=Number,rating=Stars,date=Day", "the header lacks the column Number, Stars, Day"],
])("--columns %s is refused with the reason", async (columns, reason) => {
  const file = path.join(folder, "other.csv");
  fs.writeFileSync(file, "id,rating,date\n1,5,2026-11-20\n");
  await run(["workspace", "create", "--name", "Refused"]);
  const following = ["--store", "appstore", "--external-id", "55", "--no-collect"];
  await run(["app", "add", "--workspace", "Refused", ...following]);
  const { exitCode, stderr } = await run([
    "import",
    "reviews",
    "--app",
    "55",
    file,
    "--columns",
    columns,
  ]);
  expect(exitCode).toBeGreaterThan(0);
  expect(stderr).toContain(reason);
});
