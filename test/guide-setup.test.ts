// The set-up of a workspace as a file: the example and the commands of docs/apply.md run as they are printed, and what
// `export config` writes of each kind of app and channel can be applied to a second workspace, by command and by request.
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { generateStoreKeys } from "../simulator/store-keys.ts";
import { type ChannelType, channelTypeIds } from "../src/domain/channel/channel-types.ts";
import { openCliHarness } from "./support/cli-harness.ts";
import { aKey } from "./support/factories.ts";
import { type ManageContext, openManageContext } from "./support/manage-context.ts";
import { root } from "./support/source-tree.ts";

let world: ManageContext;
let folder: string;
let server: http.Server;
let url: string;
const { run, runJson } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openManageContext();
  // Factories use the name of the guides, which has to be free here.
  await world.queryDatabase("update workspaces set name = id::text");
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-setup-"));
  server = http.createServer(getRequestListener(world.api.fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  fs.rmSync(folder, { recursive: true });
  await world.close();
});

const fileOf = (name: string): string => path.join(folder, name);

async function keyOf(workspace: string): Promise<string> {
  const { id = "" } =
    (await world.database.listWorkspaces()).find(({ name }) => name === workspace) ?? {};
  return (await aKey(world.database, { id }, "manage")).key;
}

test("apply.md: the file and every command run as they are printed", async () => {
  const page = fs.readFileSync(path.join(root, "docs/apply.md"), "utf8");
  const [example = "", ...others] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
    ([, text = ""]) => text,
  );
  expect(others).toEqual([]);
  const commands = [...page.matchAll(/^starpost (.+)$/gm)].map(([, line = ""]) => {
    const [words = "", output] = line.split(" > ");
    const argv = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word = ""]) => quoted ?? word,
    );
    return { argv, output };
  });
  expect(commands).toHaveLength(3);
  const file = fileOf("starpost.yaml");
  fs.writeFileSync(file, example);
  process.env["SLACK_URL"] = "https://hooks.slack.com/services/T0/B0/xyz";

  const applying = ["apply", "-f", file, "--detailed-exit-code", "--allow-env", "SLACK_URL"];
  const first = await runJson(applying);
  expect([first.exitCode, first.value]).toEqual([3, expect.any(Array)]);
  expect(await runJson(applying)).toMatchObject({
    exitCode: 0,
    value: [{ action: "skip", kind: "member", name: "ann@example.com" }],
  });

  process.env["STARPOST_TEAM_URL"] = process.env["SLACK_URL"];
  const key = await keyOf("Harbour Apps");
  for (const { argv, output } of commands) {
    const placed = argv
      .map((word) => (word === "starpost.yaml" ? file : word))
      .map((word) => (word === "https://reviews.example.com" ? url : word));
    const { exitCode, stdout, stderr } = await run(placed, { env: { STARPOST_KEY: key } });
    expect([argv, exitCode, stderr]).toEqual([argv, 0, ""]);
    if (output) fs.writeFileSync(fileOf(output), stdout);
    else expect(stdout).toContain("Nothing to do.");
  }
});

describe("an exported set-up in a second workspace", () => {
  const { team, service } = generateStoreKeys();
  const destinations: Record<ChannelType, Record<string, unknown>> = {
    webhook: { url: "https://hooks.example.com/starpost" },
    slack: { url: "https://hooks.slack.com/services/T0/B0/abc" },
    discord: { url: "https://discord.com/api/webhooks/1/abc" },
    teams: { url: "https://example.webhook.office.com/abc" },
    telegram: { token: `123456:${"a".repeat(30)}`, chat: "-1001234567890" },
    email: { to: "ann@example.com,bob@example.com" },
    http: {
      url: "https://api.example.com/notes",
      token: "t0ken",
      headers: "X-Team: tide",
      request: { method: "POST", body: '{"zeta":"{{heading}}","alpha":"{{block}}"}' },
    },
  };
  const apps = [
    { store: "appstore", externalAppId: "101" },
    { store: "appstore", externalAppId: "102", countries: ["de"], languages: ["en"] },
    { store: "appstore", externalAppId: "103", credential: "Apple" },
    { store: "appstore", externalAppId: "104", credential: "Apple", countries: ["us"] },
    { store: "appstore", externalAppId: "105", isCollected: false },
    { store: "googleplay", externalAppId: "com.example.one" },
    { store: "googleplay", externalAppId: "com.example.two", languages: ["de", "en"] },
    { store: "googleplay", externalAppId: "com.example.three", credential: "Google" },
    {
      ...{ store: "googleplay", externalAppId: "com.example.four", credential: "Google" },
      ...{ countries: ["fr"], languages: ["fr"] },
    },
    { store: "googleplay", externalAppId: "com.example.five", isCollected: false },
  ];
  const members = [{ email: "ann@example.com", role: "owner" }];
  const views = [{ name: "Bad", query: "app=appstore/101&rating=1" }];
  const topics = [{ name: "opening_hours", phrases: ["opening hours"] }];
  const channels = channelTypeIds.map((type) => ({
    name: type,
    type,
    ...destinations[type],
    ...(type === "webhook" ? { apps: ["appstore/103"], stars: [1] } : { view: "Bad" }),
  }));
  const everything = { apps, topics, views, channels, members };

  /** With the accounts that apps name: their keys are in no file. */
  async function createWorkspace(name: string): Promise<void> {
    await run(["workspace", "create", "--name", name]);
    const files = { p8: fileOf("key.p8"), json: fileOf("key.json") };
    fs.writeFileSync(files.p8, team.privateKeyPem);
    const account = { client_email: service.clientEmail, private_key: service.privateKeyPem };
    fs.writeFileSync(files.json, JSON.stringify(account));
    const add = ["credential", "add", "--workspace", name];
    const apple = ["--store", "appstore", "--name", "Apple", "--key-id", "ABC123DEFG"];
    const google = ["--store", "googleplay", "--name", "Google", "--bucket", "pubsite_prod_rev_01"];
    for (const argv of [
      [...add, ...apple, "--key-file", files.p8],
      [...add, ...google, "--key-file", files.json],
    ]) {
      expect(await run(argv)).toMatchObject({ exitCode: 0, stderr: "" });
    }
  }

  const readConfig = async (workspace: string) =>
    parse((await run(["export", "config", "--workspace", workspace])).stdout);

  type Exported = { workspace: string; channels: { name: ChannelType }[] };

  /** With the secrets that the export names. */
  const fillIn = (exported: Exported, workspace: string) => ({
    ...exported,
    ...{ workspace, members },
    channels: exported.channels.map((channel) => ({
      ...channel,
      ...destinations[channel.name],
    })),
  });

  const ways = {
    async command(setup: { workspace: string }) {
      const file = fileOf(`${setup.workspace}.yaml`);
      fs.writeFileSync(file, stringify(setup));
      const { exitCode, value } = await runJson(["apply", "-f", file]);
      expect([exitCode, value]).toEqual([0, expect.any(Array)]);
      return value as unknown as { action: string }[];
    },
    async request(setup: { workspace: string }) {
      world.key = await keyOf(setup.workspace);
      const { steps } = await world.call("POST", "/setup", setup);
      return steps as { action: string }[];
    },
  };

  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    "by %s has each kind of app and channel",
    async (way) => {
      const [first, second] = [`First by ${way}`, `Second by ${way}`];
      for (const name of [first, second]) await createWorkspace(name);
      const steps = await ways[way]({ workspace: first, ...everything });
      const actions = steps.map(({ action }) => action);
      const count = apps.length + channels.length + views.length + topics.length;
      expect(actions).toEqual([...Array.from({ length: count }, () => "create"), "skip"]);
      const exported = await readConfig(first);
      expect(exported).toMatchObject({ apps: expect.any(Array), channels: expect.any(Array) });
      await ways[way](fillIn(exported, second));
      expect(await readConfig(second)).toEqual({ ...exported, workspace: second });
    },
  );
});
