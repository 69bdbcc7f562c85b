// Links to one page over the real service: what they show, for how long, and to whom; and the list of what leaves.

import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eraseReview } from "../../../test/support/acts.ts";
import {
  type ApiResponse,
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { channelDefaults } from "../../domain/channel/channel.ts";
import type { App } from "../../domain/feed/listing.ts";
import { dayMs, formatTimestamp } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import * as statements from "./sql.ts";

let world: DashboardFixture;
let lea: DashboardClient;
let base: string;
let app: App;
let visitorCount = 0;
const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
const note = "Ask Ben about this refund";

beforeAll(async () => {
  world = await openDashboardFixture({ clock });
  lea = await world.signIn({ email: "lea@example.com" });
  await world.signIn({ email: "ben-secretive@example.com", role: "member" });
  const { workspaceId, deps } = world.service;
  base = `/workspaces/${workspaceId}`;
  app = await anApp(deps.database, { workspaceId, name: "Tidepool" });
  const [review] = await addReviews(3);
  const { members } = (await lea.get(`${base}/members`)).json;
  const assignee = members.find(({ name }: { name: string }) => name.startsWith("ben")).userId;
  await lea.patch(`${base}/reviews/${review?.id}/work`, { tags: ["refund-fraud"], assignee });
  await lea.post(`${base}/notes`, { review: review?.id, text: note });
});
afterAll(() => world.close());

function addReviews(count: number, more: Partial<Parameters<typeof aReview>[0]> = {}) {
  const date = new Date(clock.now().getTime() - dayMs);
  const reviews = Array.from({ length: count }, () => aReview({ rating: 1, date, ...more }));
  return saveReviews(world.service.deps.database, app, reviews);
}

const make = (body: object, client = lea): Promise<ApiResponse> =>
  client.post(`${base}/links`, { days: 30, ...body });
const tokenOf = ({ json }: ApiResponse): string => json.path.slice("/shared#".length);
/** From another network each time: the limit of an address has its own test. */
function open(token: string): Promise<ApiResponse> {
  visitorCount += 1;
  const headers = { "x-forwarded-for": `2001:db8:${visitorCount.toString(16)}::1` };
  return world.newClient().request("/shared", { method: "POST", body: { token }, headers });
}
/** A session that is idle ends, and its password has to be recent. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await lea.post("/session/sign-in", { email: "lea@example.com", password });
}
async function saveView(name: string, query: string): Promise<string> {
  const { views } = (await lea.post(`${base}/views`, { name, query })).json;
  return views.find((view: { name: string }) => view.name === name).id;
}
async function listOutgoing() {
  return (await lea.get(`${base}/outgoing`)).json.items;
}

const comparison = new URLSearchParams({ a: "rating=1", b: "rating=5" }).toString();
const pages = () =>
  [
    { kind: "overview", query: "range=30d" },
    { kind: "comparison", query: comparison },
    { kind: "report", query: `app=${app.id}&range=30d` },
  ] as const;

describe("a link", () => {
  test("shows each kind of page to people without an account", async () => {
    const viewId = await saveView("Bad", "rating=1");
    const found = [];
    for (const page of [...pages(), { kind: "view", viewId }]) {
      const isFrozen = page.kind === "report" ? {} : { isFrozen: false };
      const { status, json } = await open(tokenOf(await make({ ...page, ...isFrozen })));
      expect(status).toBe(200);
      expect(json).toMatchObject({ workspaceName: "Harbour Apps", madeBy: "lea" });
      expect(json.endsAt).toBe(formatTimestamp(new Date(clock.now().getTime() + 30 * dayMs)));
      found.push([json.content.kind, json.name, json.isFrozen]);
      if (json.content.overview) expect(json.content.overview.reviews.stars[0]).toBe(3);
      if (json.content.a) expect(json.content.a.summary.total).toBe(3);
      if (json.content.reviews) expect(json.content.reviews).toHaveLength(3);
    }
    expect(found).toEqual([
      ["overview", "All apps", false],
      ["comparison", "Comparison", false],
      ["report", "Tidepool", true],
      ["view", "Bad", false],
    ]);
  });

  test("shows no notes, tags, or members but its maker", async () => {
    const viewId = await saveView("Fraud", "tag=refund-fraud&status=open");
    const { json, text } = await open(
      tokenOf(await make({ kind: "view", viewId, isFrozen: true })),
    );
    expect(json.content.reviews).toHaveLength(1);
    expect(json.content.reviews[0].work).toBeNull();
    expect(json.content.filters).toEqual({});
    for (const inside of [note, "refund-fraud", "ben-secretive", "@example.com", "secret"]) {
      expect(text).not.toContain(inside);
    }
  });

  test("that is frozen keeps its figures, and a live one follows within a minute", async () => {
    const page = { kind: "overview", query: "range=30d" };
    const frozen = tokenOf(await make({ ...page, isFrozen: true }));
    const live = tokenOf(await make({ ...page, isFrozen: false }));
    const totalOf = async (token: string) =>
      (await open(token)).json.content.overview.reviews.total;
    const before = await totalOf(live);
    expect(await totalOf(frozen)).toBe(before);
    await addReviews(2, { rating: 5 });
    expect(await totalOf(live)).toBe(before);
    await advance(60_000);
    expect(await totalOf(live)).toBe(before + 2);
    expect(await totalOf(frozen)).toBe(before);
  });

  test("to a view keeps its filters when a member saves the view again", async () => {
    const viewId = await saveView("Changing", "rating=2");
    const token = tokenOf(await make({ kind: "view", viewId, isFrozen: false }));
    await saveView("Changing", "");
    await advance(60_000);
    expect((await open(token)).json.content.summary.total).toBe(0);
  });

  test("ends after its days, by hand, and with its maker's membership", async () => {
    const other = await world.signIn({ email: "other@example.com" });
    const page = { kind: "overview", query: "", isFrozen: true };
    const ended = tokenOf(await make(page));
    const [newest] = (await listOutgoing()).filter(
      ({ kind }: { kind: string }) => kind === "overview",
    );
    await lea.delete(`${base}/links/${newest.id}`);
    const [kept, theirs] = [tokenOf(await make(page)), tokenOf(await make(page, other))];
    const short = tokenOf(await make({ ...page, days: 1 }));
    const statuses = async () =>
      Promise.all([ended, kept, theirs, short].map(async (token) => (await open(token)).status));
    expect(await statuses()).toEqual([404, 200, 200, 200]);
    const { members } = (await lea.get(`${base}/members`)).json;
    const { userId } = members.find(({ name }: { name: string }) => name === "other");
    await lea.delete(`${base}/members/${userId}`);
    expect(await statuses()).toEqual([404, 200, 404, 200]);
    await advance(dayMs);
    expect(await statuses()).toEqual([404, 200, 404, 404]);
    expect((await lea.delete(`${base}/links/${newest.id}`)).status).toBe(404);
  });

  test("ends when its maker's account is deleted", async () => {
    const gone = await world.signIn({ email: "gone@example.com" });
    const token = tokenOf(await make({ kind: "overview", query: "", isFrozen: true }, gone));
    const { database } = world.service.deps;
    const user = await database.findUserByEmail("gone@example.com");
    await database.deleteUser(user?.id ?? "");
    expect((await open(token)).status).toBe(404);
  });

  test("to a frozen page ends when the author of a quoted review has it erased", async () => {
    const [review] = await addReviews(1, { rating: 3, text: "My name is Ada Invented" });
    const viewId = await saveView("Middling", "rating=3");
    const frozen = tokenOf(await make({ kind: "view", viewId, isFrozen: true }));
    const live = tokenOf(await make({ kind: "view", viewId, isFrozen: false }));
    expect((await open(frozen)).text).toContain("Ada Invented");
    const { database } = world.service.deps;
    const input = { appId: app.id, reviewId: review?.id ?? "" };
    await eraseReview({ clock, database, actor: "cli" }, input);
    await advance(60_000);
    expect((await open(frozen)).status).toBe(404);
    expect((await open(live)).text).not.toContain("Ada Invented");
  });

  test("is not stored, and the audit log says who made and ended it", async () => {
    const token = tokenOf(await make({ kind: "overview", query: "", isFrozen: false }));
    const [item] = (await listOutgoing()).filter(
      ({ kind }: { kind: string }) => kind === "overview",
    );
    expect(JSON.stringify(item)).not.toContain(token);
    await lea.delete(`${base}/links/${item.id}`);
    const { entries } = (await lea.get(`${base}/audit`)).json;
    expect(entries.slice(0, 2)).toMatchObject([
      { action: "link.ended", actor: "lea", subject: item.id },
      { action: "link.created", actor: "lea", detail: { kind: "overview", name: "All apps" } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  test("shows its last use to the hour", async () => {
    const token = tokenOf(await make({ kind: "overview", query: "", isFrozen: true }));
    const usedAt = async () =>
      (await listOutgoing()).find(({ kind }: { kind: string }) => kind === "overview").usedAt;
    expect(await usedAt()).toBeNull();
    await open(token);
    const first = formatTimestamp(clock.now());
    expect(await usedAt()).toBe(first);
    await advance(59 * 60_000);
    await open(token);
    expect(await usedAt()).toBe(first);
    await advance(2 * 60_000);
    await open(token);
    expect(await usedAt()).toBe(formatTimestamp(clock.now()));
  });
});

describe("making a link", () => {
  test.each([
    [{ kind: "overview", query: "", isFrozen: true, days: 366 }, "days"],
    [{ kind: "overview", query: "", isFrozen: true, days: null }, "days"],
    [{ kind: "overview", query: "workspace=x", isFrozen: true }, "workspace"],
    [{ kind: "overview", query: "rating=1", isFrozen: true }, "rating"],
    [{ kind: "comparison", query: "a=rating%3D9&b=", isFrozen: true }, "rating"],
    [{ kind: "comparison", query: "a=rating%3D1", isFrozen: true }, "b"],
    [{ kind: "report", query: "", isFrozen: false }, "isFrozen"],
    [{ kind: "settings", query: "", isFrozen: false }, "kind"],
  ])("%j is refused by its field", async (body, field) => {
    const { status, json } = await make(body);
    expect([status, json.fields?.[0]?.field]).toEqual([400, field]);
  });

  test("is reserved to owners, and to apps and views of the workspace", async () => {
    const member = await world.signIn({ email: "member@example.com", role: "member" });
    const page = { kind: "overview", query: "", isFrozen: false };
    expect((await make(page, member)).status).toBe(403);
    const elsewhere = await world.addWorkspace("Elsewhere");
    const foreign = await anApp(world.service.deps.database, { workspaceId: elsewhere });
    expect((await make({ ...page, query: `app=${foreign.id}` })).status).toBe(404);
    const a = `app=${foreign.id}`;
    const query = new URLSearchParams({ a, b: "" }).toString();
    expect((await make({ kind: "comparison", query, isFrozen: false })).status).toBe(404);
    const viewId = foreign.id;
    expect((await make({ kind: "view", viewId, isFrozen: true })).status).toBe(404);
  });

  test("of a page that is too large is refused with a reason", async () => {
    const viewId = await saveView("Long", "rating=4");
    await addReviews(50, { rating: 4, text: "x".repeat(20_000) });
    const { status, json } = await make({ kind: "view", viewId, isFrozen: true });
    expect([status, json.detail]).toEqual([
      413,
      "The page has more than 512 kB: choose fewer days or apps.",
    ]);
    expect((await make({ kind: "view", viewId, isFrozen: false })).status).toBe(200);
  });

  test("ends at 100 links of a workspace", async () => {
    const { database } = world.service.deps;
    const links = database.with(statements);
    const { workspaceId } = world.service;
    const count = (await links.listSharedLinks({ workspaceId, now: clock.now() })).length;
    const madeBy = (await database.findUserByEmail("lea@example.com"))?.id ?? "";
    const times = { madeAt: clock.now(), endsAt: new Date(clock.now().getTime() + dayMs) };
    for (let made = count; made < 99; made += 1) {
      await links.insertSharedLink({
        ...{ id: uuidV7(clock.now()), workspaceId, madeBy, ...times },
        ...{ kind: "overview", viewId: null, name: "All apps", query: "", frozen: null },
        tokenHash: randomBytes(32),
      });
    }
    const page = { kind: "overview", query: "", isFrozen: false };
    expect((await make(page)).status).toBe(200);
    await advance(60_000);
    expect((await make(page)).status).toBe(409);
    for (const { id } of await links.listSharedLinks({ workspaceId, now: clock.now() })) {
      await links.endSharedLinks({ workspaceId, id });
    }
  });
});

test("one network opens links 60 times a minute", async () => {
  const token = tokenOf(await make({ kind: "overview", query: "", isFrozen: false }));
  const visitor = world.newClient();
  const headers = { "x-forwarded-for": "203.0.113.9" };
  const statuses: number[] = [];
  for (let count = 0; count < 61; count += 1) {
    const request = { method: "POST", body: { token }, headers };
    statuses.push((await visitor.request("/shared", request)).status);
  }
  expect(statuses).toEqual([...Array(60).fill(200), 429]);
});

describe("what leaves the workspace", () => {
  test("has channels, keys and links with maker, destination and last use", async () => {
    const channel = { ...channelDefaults, name: "Hook", url: "http://127.0.0.1:9/hook" };
    await lea.post(`${base}/channels`, channel);
    await lea.post(`${base}/keys`, { name: "Nightly" });
    const viewId = await saveView("Fed", "rating=1");
    await make({ kind: "feed", viewId });
    const items = await listOutgoing();
    const find = (name: string) => items.find((item: { name: string }) => item.name === name);
    const made = { madeBy: "lea", hasMakerLeft: false, usedAt: null, isPaused: false };
    expect(find("Hook")).toMatchObject({
      ...{ kind: "channel", destination: "http://127.0.0.1:9/hook", ...made },
    });
    expect(find("Nightly")).toMatchObject({ kind: "key", ...made });
    expect(find("Nightly").destination).toMatch(/^Programs with the key sp_\w{6}…, scope read$/);
    expect(find("Fed")).toMatchObject({
      ...{ kind: "feed", destination: "Feed readers with the link", ...made },
    });
  });

  test("has the SQL users that the operator made", async () => {
    const { config } = world.service.deps;
    const client = new pg.Client(String(config.databaseUrl));
    await client.connect();
    const row = "gen_random_uuid(), $1, 'Metabase', 'starpost_metabase', now()";
    await client.query(`insert into sql_users values (${row})`, [world.service.workspaceId]);
    await client.end();
    const found = (await listOutgoing()).filter(({ kind }: { kind: string }) => kind === "sql");
    expect(found).toMatchObject([
      {
        name: "Metabase",
        destination: "Programs with the SQL role starpost_metabase",
        madeBy: null,
      },
    ]);
  });

  test("flags what a former member made, until an owner keeps or stops it", async () => {
    const former = await world.signIn({ email: "former@example.com" });
    const url = "http://127.0.0.1:9/former";
    const channel = { ...channelDefaults, name: "Left hook", url };
    const { id: channelId } = (await former.post(`${base}/channels`, channel)).json.channel;
    const { id: keyId } = (await former.post(`${base}/keys`, { name: "Left key" })).json.apiKey;
    const flags = async () =>
      (await listOutgoing())
        .filter(({ name }: { name: string }) => name.startsWith("Left"))
        .map((item: Record<string, unknown>) => [
          item["name"],
          item["madeBy"],
          item["hasMakerLeft"],
        ]);
    expect(await flags()).toEqual([
      ["Left hook", "former", false],
      ["Left key", "former", false],
    ]);
    const { members } = (await lea.get(`${base}/members`)).json;
    const { userId } = members.find(({ name }: { name: string }) => name === "former");
    const removed = await lea.delete(`${base}/members/${userId}`);
    expect(removed.json).toEqual({
      channels: [{ id: channelId, name: "Left hook" }],
      keys: [{ id: keyId, name: "Left key" }],
    });
    expect(await flags()).toEqual([
      ["Left hook", "former", true],
      ["Left key", "former", true],
    ]);
    clock.advance(1_000);
    expect((await lea.post(`${base}/channels/${channelId}/keep`)).status).toBe(200);
    expect((await lea.post(`${base}/keys/${keyId}/keep`)).status).toBe(200);
    expect(await flags()).toEqual([
      ["Left hook", "lea", false],
      ["Left key", "lea", false],
    ]);
    await lea.patch(`${base}/channels/${channelId}`, { isPaused: true });
    await lea.post(`${base}/keys/${keyId}/revoke`);
    const [stopped, ...others] = (await listOutgoing()).filter(({ name }: { name: string }) =>
      name.startsWith("Left"),
    );
    expect([stopped.isPaused, others]).toEqual([true, []]);
  });

  test("keeps flagging what a deleted account made, and what its keeper leaves", async () => {
    const keeper = await world.signIn({ email: "keeper@example.com" });
    const { id } = (await keeper.post(`${base}/keys`, { name: "Orphan" })).json.apiKey;
    const { database } = world.service.deps;
    const user = await database.findUserByEmail("keeper@example.com");
    await database.deleteUser(user?.id ?? "");
    const orphan = async () =>
      (await listOutgoing()).find(({ name }: { name: string }) => name === "Orphan");
    expect(await orphan()).toMatchObject({ madeBy: null, hasMakerLeft: true });
    const second = await world.signIn({ email: "second@example.com" });
    clock.advance(1_000);
    await second.post(`${base}/keys/${id}/keep`);
    expect(await orphan()).toMatchObject({ madeBy: "second", hasMakerLeft: false });
    const { members } = (await lea.get(`${base}/members`)).json;
    const { userId } = members.find(({ name }: { name: string }) => name === "second");
    expect((await lea.delete(`${base}/members/${userId}`)).json.keys).toEqual([
      { id, name: "Orphan" },
    ]);
    expect(await orphan()).toMatchObject({ madeBy: "second", hasMakerLeft: true });
  });
});
