// The set-up of a workspace as one document over the API.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  hook,
  type ManageContext,
  openManageContext,
} from "../../../test/support/manage-context.ts";

let world: ManageContext;
beforeAll(async () => {
  world = await openManageContext();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const setup = {
  apps: [{ store: "googleplay", externalAppId: "com.example.tide", languages: ["en", "de"] }],
  topics: [{ name: "opening_hours", phrases: ["opening hours"] }],
  channels: [{ name: "Desk", url: hook, apps: ["googleplay/com.example.tide"] }],
};

test("a document is applied once, read back, and applied again without a change", async () => {
  const { steps } = await world.call("POST", "/setup", setup);
  expect(steps.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)).toEqual([
    "topic opening_hours",
    "app googleplay/com.example.tide",
    "channel Desk",
  ]);
  expect(await world.call("POST", "/setup", setup)).toEqual({ steps: [] });
  const { setup: read } = await world.call("GET", "/setup");
  expect(await world.call("POST", "/setup?prune=true", read)).toEqual({ steps: [] });
  const { workspace } = read;
  const entry = (await world.database.listWorkspaces()).find(({ id }) => id === world.workspaceId);
  expect(workspace).toBe(entry?.name);
});

test.each(["app=ID&q=a%20b", "q=a+b&app=ID", "app=ID&topic=%63rash"])(
  "a view saved as %s is settled, however its parameters are encoded",
  async (written) => {
    const { steps } = await world.call("POST", "/setup", setup);
    expect(steps).toHaveLength(3);
    const { apps } = await world.call("GET", "/apps");
    const query = written.replace("ID", apps[0].id);
    await world.call("POST", "/views", { name: "Encoded", query });
    const { setup: read } = await world.call("GET", "/setup");
    expect(await world.call("POST", "/setup", read)).toEqual({ steps: [] });
  },
);

test("all of it or nothing, also when the last part fails", async () => {
  const last = { name: "Last", url: hook, view: "There is none" };
  const wrong = { ...setup, channels: [...setup.channels, last] };
  const before = await world.readAll();
  expect(await world.send("POST", "/setup", { body: wrong })).toMatchObject({ status: 400 });
  expect(await world.readAll()).toBe(before);
});

test("a key can't change roles, nor another workspace", async () => {
  const { database, workspaceId } = world;
  const email = `owner-${workspaceId}@example.com`;
  const user = { id: workspaceId, email, name: "Ann", createdAt: new Date(), passwordHash: "x" };
  await database.insertUser(user);
  await database.insertMember({
    workspaceId,
    userId: user.id,
    role: "owner",
    joinedAt: new Date(),
  });
  const change = { members: [{ email, role: "member" }] };
  expect(await world.send("POST", "/setup", { body: change })).toMatchObject({ status: 409 });
  const same = { members: [{ email, role: "owner" }] };
  expect(await world.call("POST", "/setup", same)).toEqual({ steps: [] });
  const elsewhere = await world.send("POST", "/setup", { body: { workspace: "Elsewhere" } });
  expect(Object(elsewhere.json).errors).toEqual([
    expect.objectContaining({ parameter: "workspace" }),
  ]);
});
