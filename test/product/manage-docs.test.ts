// The examples of docs/manage.md run as they are printed, and the client library does the same.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../sdk/src/index.ts";
import { manageRoutes } from "../../src/api/manage/routes.ts";
import { readReviewWork } from "../../src/features/triage/read-work.ts";
import { createKey } from "../support/acts.ts";
import { anApp, aReview, saveReviews } from "../support/factories.ts";
import { openReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { root } from "../support/source-tree.ts";

const page = fs.readFileSync(path.join(root, "docs/manage.md"), "utf8");
let service: TestService;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let key: string;
let reviewId: string;
let appId: string;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
  const { workspaceId } = service;
  const deps = { ...service.deps, actor: "test" };
  const app = await anApp(service.deps.database, { workspaceId });
  appId = app.id;
  const [review] = await saveReviews(service.deps.database, app, [aReview(), aReview()]);
  reviewId = review?.id ?? "";
  key = (await createKey(deps, { workspaceId, name: "Deploy", scope: "manage" })).key;
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

test("manage.md names every path", () => {
  const named = [...page.matchAll(/`\/api\/v1(\/[^`]+)`/g)].map(([, name]) => name);
  const paths = new Set(manageRoutes().map((route) => route.path.replace(/\{\w+\}/, "{id}")));
  expect(named.filter((name) => name !== "/openapi.json").sort()).toEqual([...paths].sort());
});

test("the examples of manage.md run one after the other", async () => {
  const examples = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(examples).toHaveLength(7);
  let channel = "";
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-manage-docs-"));
  const rows = [
    "r1,5,2026-10-13,Tide Bank",
    "r2,1,2026-10-13,Harbour Bank",
    "r3,4,2026-10-12,Tide Bank",
  ];
  fs.writeFileSync(path.join(cwd, "reviews.csv"), `id,rating,date,bank_name\n${rows.join("\n")}\n`);
  const outputs: string[] = [];
  for (const example of examples) {
    const text = example.replace("https://hooks.example.com/starpost", receiver.url);
    const api = { API: `${service.url}/api/v1`, API_KEY: key };
    const env = { ...process.env, ...api, CHANNEL: channel, REVIEW: reviewId, APP: appId };
    const { stdout } = await promisify(execFile)("bash", ["-euc", text], { env, cwd });
    outputs.push(stdout);
    channel = /"channels":\[\{"id":"([^"]+)"/.exec(stdout)?.[1] ?? channel;
  }
  fs.rmSync(cwd, { recursive: true });
  expect(channel).not.toBe("");
  const imported = outputs.find((output) => output.includes("bank_name"));
  expect(imported).toMatch(/"inserted":3.*"isDryRun":true.*"inserted":2.*"skipped":1/s);
  const { database } = service.deps;
  const { workspaceId } = service;
  expect(await database.listChannels({ workspaceId })).toEqual([]);
  expect(await database.listApps({ workspaceId })).toHaveLength(2);
  const work = await readReviewWork(database, { workspaceId, reviewId });
  expect(work).toMatchObject({
    isDone: true,
    tags: ["fixed"],
    notes: [{ author: "API key Deploy", text: "Ticket 1234: fixed in 4.3" }],
  });
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

  test("tags, assigns, notes and closes a review", async () => {
    const client = aClient();
    const { etag } = await client.getReviewWork(reviewId);
    const { id } = (await client.addNote({ review: reviewId, text: "Look into it" })).thing;
    expect((await client.listNotes(reviewId)).at(-1)?.text).toBe("Look into it");
    const change = { addedTags: ["sync"], assignee: null, isDone: true };
    const stale = client.changeReview(reviewId, change, { ifMatch: etag ?? "" });
    await expect(stale).rejects.toMatchObject({ code: "precondition_failed" });
    const { thing } = await client.changeReview(reviewId, change);
    expect(thing).toMatchObject({ id: reviewId, isDone: true, assignee: null });
    expect(thing.tags).toContain("sync");
    const reopened = await client.changeReviews({ reviews: [reviewId], isDone: false });
    expect(reopened).toEqual({ changedCount: 1 });
    await client.removeNote(id);
    expect((await client.getReviewWork(reviewId)).thing.isDone).toBe(false);
    expect((await client.listNotes(reviewId)).map((note) => note.id)).not.toContain(id);
  });

  test("ticks a topic, collects an app, and is refused a translation without a provider", async () => {
    const client = aClient();
    const topic = await client.manage("own-topics").create({ name: "tides", phrases: ["tide"] });
    const tick = { review: reviewId, isRight: true };
    const { id } = topic.thing;
    expect(await client.tickTopic(id, tick)).toEqual({ rightCount: 1, wrongCount: 0 });
    await client.manage("own-topics").remove(id);
    const apps = await client.listApps();
    const collected = apps.find(({ externalAppId }) => externalAppId === "989804926")?.id ?? "";
    expect((await client.collectApp(collected)).feedCount).toBeGreaterThan(2);
    const places = await client.collectApp(collected, { region: "de", dryRun: true });
    expect(places.feedCount).toBe(2);
    const translation = client.translateApp(collected, { review: reviewId });
    await expect(translation).rejects.toMatchObject({ code: "conflict" });
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
