// The examples of docs/manage.md run as they are printed, and the client library does the same.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../sdk/src/index.ts";
import { manageRoutes } from "../src/api/manage/routes.ts";
import { createKey } from "./support/acts.ts";
import { openReceiver } from "./support/receiver.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { root } from "./support/source-tree.ts";

const page = fs.readFileSync(path.join(root, "docs/manage.md"), "utf8");
let service: TestService;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let key: string;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
  const { workspaceId } = service;
  const deps = { ...service.deps, actor: "test" };
  key = (await createKey(deps, { workspaceId, name: "Deploy", scope: "manage" })).key;
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

test("manage.md names every path", () => {
  const named = [...page.matchAll(/`\/api\/v1(\/[^`]+)`/g)].map(([, name]) => name);
  const paths = new Set(manageRoutes.map((route) => route.path.replace(/\{\w+\}/, "{id}")));
  expect(named.filter((name) => name !== "/openapi.json").sort()).toEqual([...paths].sort());
});

test("the examples of manage.md run one after the other", async () => {
  const examples = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(examples).toHaveLength(5);
  let channel = "";
  for (const example of examples) {
    const text = example.replace("https://hooks.example.com/starpost", receiver.url);
    const env = { ...process.env, API: `${service.url}/api/v1`, API_KEY: key, CHANNEL: channel };
    const { stdout } = await promisify(execFile)("bash", ["-euc", text], { env });
    channel = /"channels":\[\{"id":"([^"]+)"/.exec(stdout)?.[1] ?? channel;
  }
  expect(channel).not.toBe("");
  const { database } = service.deps;
  const { workspaceId } = service;
  expect(await database.listChannels({ workspaceId })).toEqual([]);
  expect(await database.listApps({ workspaceId })).toHaveLength(1);
});

describe("the client library", () => {
  const aClient = () => createClient({ baseUrl: service.url, apiKey: key, retriesMax: 0 });

  test("creates, reads, changes and removes, guarded against lost updates", async () => {
    const channels = aClient().manage("channels");
    const created = await channels.create({ name: "Desk", url: receiver.url });
    expect(created.secret).toMatch(/^whsec_/);
    const { id } = created.thing;
    expect(await channels.list()).toEqual([created.thing]);
    const { etag } = await channels.get(id);
    const changed = await channels.change(id, { stars: [1] }, { ifMatch: etag ?? "" });
    expect(changed.thing).toEqual({ ...created.thing, stars: [1] });
    const stale = channels.change(id, { stars: [2] }, { ifMatch: etag ?? "" });
    await expect(stale).rejects.toMatchObject({ code: "precondition_failed" });
    expect(await aClient().testChannel(id)).toEqual({ deliveryId: expect.any(String) });
    expect((await aClient().rotateChannelSecret(id)).secret).not.toBe(created.secret);
    expect(await aClient().redeliverExpired(id)).toEqual({ queued: 0 });
    await channels.remove(id, { dryRun: true });
    expect(await channels.list()).toHaveLength(1);
    await channels.remove(id);
    expect(await channels.list()).toEqual([]);
  });

  test("tries a call again without doing it twice", async () => {
    let isFirst = true;
    const breakOnce: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!isFirst) return response;
      isFirst = false;
      throw new TypeError("the connection broke off");
    };
    const client = createClient({ baseUrl: service.url, apiKey: key, fetch: breakOnce });
    const { thing } = await client
      .manage("own-topics")
      .create({ name: "hours", phrases: ["open"] });
    expect(await client.manage("own-topics").list()).toEqual([thing]);
  });
});
