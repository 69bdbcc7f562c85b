// Further pairs of features, tried over the API and the import: what one of them ends, the other one must not go on with.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../src/domain/feed/listing.ts";
import { importReviews } from "../src/features/imports/import-reviews.ts";
import { openSharedLink } from "../src/features/sharing/open-link.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import {
  deleteWorkspace,
  eraseReview,
  removeApp,
  revokeKey,
  setWorkspacePlan,
} from "./support/acts.ts";
import { aKey, anApp, anOwner } from "./support/factories.ts";
import { createSharedLink } from "./support/link-acts.ts";
import { hook, type ManageContext, openManageContext } from "./support/manage-context.ts";

let world: ManageContext;
beforeAll(async () => {
  world = await openManageContext();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const anOwnApp = (): Promise<App> =>
  anApp(world.database, { workspaceId: world.workspaceId, isPrivate: true });

/** Returns how many deliveries a new review of each text queued. */
async function announce(app: App, ...texts: string[]): Promise<number> {
  const rows = texts.map((text) =>
    JSON.stringify({
      id: randomUUID(),
      rating: 1,
      date: world.clock.now().toISOString(),
      ...{ text, author: "Plover", country: "us" },
    }),
  );
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(rows.join("\n"));
  }
  const deps = { ...world, ingestReviews: createIngest(world) };
  const source = { name: "rows.jsonl", chunks: chunks() };
  const input = { appId: app.id, workspaceId: null, source, notify: true };
  return (await importReviews(deps, input)).queued;
}

const addChannel = async (fields: object = {}) =>
  (await world.call("POST", "/channels", { name: "Desk", url: hook, ...fields })).channel;

test("a channel of one app gets nothing of others when that app is unfollowed", async () => {
  const [gone, other] = [await anOwnApp(), await anOwnApp()];
  await addChannel({ apps: [gone.id] });
  await removeApp({ ...world, actor: "test" }, { id: gone.id, workspaceId: world.workspaceId });
  expect(await announce(other, "It crashes")).toBe(0);
});

test("a channel that follows a view of an app gets nothing of others when that app is unfollowed", async () => {
  const [gone, other] = [await anOwnApp(), await anOwnApp()];
  const { view } = await world.call("POST", "/views", { name: "One", query: `app=${gone.id}` });
  await addChannel({ view: view.id });
  expect(await announce(gone, "It crashes")).toBe(1);
  await removeApp({ ...world, actor: "test" }, { id: gone.id, workspaceId: world.workspaceId });
  expect(await announce(other, "It crashes")).toBe(0);
});

test("a topic that a channel filters by through its view is not deleted", async () => {
  const body = { name: "parking", phrases: ["parking space"] };
  const { topic } = await world.call("POST", "/own-topics", body);
  const { view } = await world.call("POST", "/views", { name: "Cars", query: "topic=parking" });
  await addChannel({ view: view.id });
  expect(await world.send("DELETE", `/own-topics/${topic.id}`)).toMatchObject({ status: 409 });
});

test("a view that is renamed stays the filter of its channels", async () => {
  const app = await anOwnApp();
  const { view } = await world.call("POST", "/views", { name: "Five", query: "rating=5" });
  await addChannel({ view: view.id });
  await world.call("PATCH", `/views/${view.id}`, { name: "Best" });
  expect(await announce(app, "It crashes")).toBe(0);
});

test("an import that sends events sends none to a channel that is paused", async () => {
  const app = await anOwnApp();
  const channel = await addChannel();
  await world.call("PATCH", `/channels/${channel.id}`, { isPaused: true });
  expect(await announce(app, "It crashes", "Again")).toBe(0);
  await world.call("PATCH", `/channels/${channel.id}`, { isPaused: false });
  expect(await announce(app, "And again")).toBe(1);
});

test("a smaller plan stops keys that write, and a larger one lets them go on", async () => {
  const { workspaceId: id, database } = world;
  for (const [plan, status] of [
    ["starter", 403],
    ["studio", 200],
  ] as const) {
    await setWorkspacePlan({ clock: world.clock, database }, { id, plan });
    world.clock.advance(60_000);
    expect((await world.send("GET", "/channels")).status).toBe(status);
  }
});

test("a repeated creation has its first answer after the channel was deleted", async () => {
  const body = { name: "Desk", url: hook };
  const headers = { "idempotency-key": randomUUID() };
  const first = await world.send("POST", "/channels", { body, headers });
  const { channel } = Object(first.json);
  await world.call("DELETE", `/channels/${channel.id}`);
  const again = await world.send("POST", "/channels", { body, headers });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect((await world.call("GET", "/channels")).channels).toEqual([]);
});

test("an export ends with an error when its key is revoked", async () => {
  const app = await anOwnApp();
  await announce(app, ...Array.from({ length: 5 }, (_, index) => `Text ${index}`));
  const { key, id } = await aKey(world.database, { id: world.workspaceId }, "read");
  expect((await world.request("/api/v1/reviews/export", { key })).text.split("\n")).toHaveLength(6);
  await revokeKey({ ...world, actor: "test" }, { id, workspaceId: world.workspaceId });
  world.clock.advance(60_000);
  expect((await world.request("/api/v1/reviews/export", { key })).status).toBe(401);
});

test("links and keys end with their workspace", async () => {
  const { database, workspaceId, key } = world;
  const actor = await anOwner(database, workspaceId);
  const page = { kind: "overview", viewId: null, name: "Week", query: "", frozen: null, days: 7 };
  const { token } = await createSharedLink({ ...world, actor }, { ...page, workspaceId });
  const isOpen = async () => (await openSharedLink(world, { token, kinds: ["overview"] })) !== null;
  expect(await isOpen()).toBe(true);
  await deleteWorkspace({ ...world, actor: "test" }, { id: workspaceId });
  world.clock.advance(60_000);
  expect([await isOpen(), (await world.request("/api/v1/apps", { key })).status]).toEqual([
    false,
    401,
  ]);
});

test("a review that is erased is not sent from the backlog of a channel", async () => {
  const app = await anOwnApp();
  await addChannel();
  expect(await announce(app, "My name is Plover")).toBe(1);
  const [review] = (await world.call("GET", "/reviews")).reviews;
  await eraseReview({ ...world, actor: "test" }, { appId: app.id, reviewId: review.id });
  const { rows } = await world.queryDatabase("select body from deliveries");
  expect(rows.map(({ body }) => String(body)).join()).not.toContain("My name is Plover");
});
