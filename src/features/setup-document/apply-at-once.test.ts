// Set-ups at once take turns, and of a set-up of many steps only the end has to keep the rules of its workspace.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  hook,
  type ManageContext,
  openManageContext,
} from "../../../test/support/manage-context.ts";
import { operationDeps } from "../../../test/support/operations.ts";
import { workspaceLimitsDefault } from "../../domain/people/workspace.ts";
import { viewLimits } from "../../domain/review/saved-view.ts";
import { ofEachStore } from "../../domain/store/store-id.ts";
import type { StoreAppLookup } from "../../use-cases/apps/store-lookup.ts";
import { ownTopicLimits } from "../own-topics/own-topic.ts";
import { applySetup } from "./apply-setup.ts";
import { type Setup, setupSchema } from "./schema.ts";

let world: ManageContext;
beforeAll(async () => {
  world = await openManageContext();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const channel = { name: "Desk", url: hook };
const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

test.each([2, 4])("%s set-ups at once that move a channel are all carried out", async (count) => {
  await world.call("POST", "/setup", { channels: [channel] });
  const setups = range(count, (n) =>
    world.send("POST", "/setup", { body: { channels: [{ ...channel, url: `${hook}/${n}` }] } }),
  );
  const others = range(8, () => world.send("GET", "/channels"));
  const answers = await Promise.all([...setups, ...others]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

const view = (query: string) => ({ views: [{ name: "V", query }] });
const following = { channels: [{ ...channel, view: "V" }] };

/** A file, and another one whose result is allowed although not all of its steps by themselves are. */
const pairs: Record<string, { first: object; second: object }> = {
  "a view gets a filter that its channel, which leaves it, can't have": {
    first: { ...view("rating=1"), ...following },
    second: { ...view("tag=urgent"), channels: [{ ...channel, filter: "rating=1" }] },
  },
  "a view gets such a filter, and its channel is removed": {
    first: { ...view("rating=1"), ...following },
    second: { ...view("tag=urgent"), channels: [] },
  },
  "a topic is replaced by another one, for a channel and a view": {
    first: topics("parking", { first: true }),
    second: topics("garage", { first: false }),
  },
  "a view is replaced at the limit of views": replaced("views", viewLimits.viewsMax, (n) => ({
    name: `V${n}`,
    query: `rating=1&version=${n}`,
  })),
  "a topic is replaced at the limit of topics": replaced(
    "topics",
    ownTopicLimits.topicsMax,
    (n) => ({ name: `topic_${n}`, phrases: [`words ${n}`] }),
  ),
  "a channel is replaced at the limit of channels": replaced(
    "channels",
    workspaceLimitsDefault.channels,
    (n) => ({ name: `Desk ${n}`, url: `${hook}/${n}` }),
  ),
};

function topics(name: string, { first }: { first: boolean }): object {
  return {
    topics: [{ name, phrases: [name] }],
    channels: [{ ...channel, topics: [name], ...(first && { stars: [1] }) }],
    views: [{ name: "P", query: `topic=${name}` }],
  };
}

function replaced(section: string, max: number, make: (index: number) => object) {
  const all = range(max, make);
  return { first: { [section]: all }, second: { [section]: [...all.slice(1), make(max)] } };
}

test.each(Object.entries(pairs))("in one file, %s", async (_, { first, second }) => {
  await world.call("POST", "/setup", first);
  const { status, text } = await world.send("POST", "/setup?prune=true", { body: second });
  expect(status, text).toBe(200);
  const again = await world.send("POST", "/setup?prune=true", { body: second });
  expect(again.json).toMatchObject({ steps: [] });
  const [section = ""] = Object.keys(second);
  const { setup } = await world.call("GET", "/setup");
  expect(setup[section]).toHaveLength(Object(second)[section].length);
});

test.each(Object.entries(pairs).slice(3))("without pruning, not when %s", async (_, pair) => {
  await world.call("POST", "/setup", pair.first);
  const before = await world.readAll();
  const { status } = await world.send("POST", "/setup", { body: pair.second });
  expect(status).toBe(409);
  expect(await world.readAll()).toBe(before);
});

test("an exported set-up that is sent back unchanged has nothing to do", async () => {
  await world.createOfEach();
  const { setup } = await world.call("GET", "/setup");
  const { steps } = await world.call("POST", "/setup?prune=true", setup);
  expect(steps).toEqual([]);
});

test("a channel that stays with a view that it can't follow any more is refused", async () => {
  await world.call("POST", "/setup", { ...view("rating=1"), ...following });
  const before = await world.readAll();
  const { status, text } = await world.send("POST", "/setup", { body: view("tag=urgent") });
  expect([status, text]).toEqual([400, expect.stringContaining("no new review can match tag")]);
  expect(await world.readAll()).toBe(before);
});

/** As the operator, with a limit of two apps. */
function apply(document: Setup) {
  const store: StoreAppLookup = {
    validateAppId: () => ({ ok: true }),
    fetchApp: async () => ({ outcome: "unknown", reason: "is away" }),
  };
  const loadStores = async () => ofEachStore(() => store);
  const workspaceLimits = { ...workspaceLimitsDefault, apps: 2 };
  return applySetup(operationDeps({ ...world, loadStores, workspaceLimits }), {
    setup: setupSchema().parse(document),
    workspaceId: world.workspaceId,
    actor: { kind: "operator", name: "cli" },
    prunes: true,
    setsRoles: true,
  });
}

test("an app is replaced at the limit of apps", async () => {
  const apps = (...ids: string[]): Setup => ({
    apps: ids.map((externalAppId) => ({
      store: "appstore",
      externalAppId,
      name: externalAppId,
      isCollected: false,
    })),
  });
  await apply(apps("11", "12"));
  expect(await apply(apps("12", "13"))).toHaveLength(2);
  await expect(apply(apps("12", "13", "14"))).rejects.toThrow("at most 2 apps");
});

test("two members swap their roles, in any order, and an owner remains", async () => {
  const emails = ["first@example.com", "second@example.com"];
  const join = async (email: string, role: "owner" | "viewer") => {
    const id = crypto.randomUUID();
    const now = world.clock.now();
    const user = { id, email, name: "Vic", passwordHash: "none", createdAt: now };
    await world.database.insertUser(user);
    const member = { workspaceId: world.workspaceId, userId: id, role, joinedAt: now };
    await world.database.insertMember(member);
  };
  const [first = "", second = ""] = emails;
  await join(first, "owner");
  await join(second, "viewer");
  const roles = (...both: readonly ("owner" | "viewer")[]): Setup => ({
    members: both.map((role, index) => ({ email: emails[index] ?? "", role })),
  });
  expect(await apply(roles("viewer", "owner"))).toHaveLength(2);
  expect(await apply(roles("owner", "viewer"))).toHaveLength(2);
  await expect(apply(roles("viewer", "viewer"))).rejects.toThrow("needs an owner");
});
