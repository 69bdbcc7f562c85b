// Feeds of saved views over the real service: who can read them, how often, and what they say.
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oddTexts } from "../../../test/support/channel-events.ts";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { createSharedLink } from "../../../test/support/link-acts.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { startSessionMaintenance } from "../../dashboard-api/session/sessions.ts";
import { channelDefaults } from "../../domain/channel/channel.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { hashToken } from "../../use-cases/accounts/link-token.ts";
import * as statements from "./sql.ts";

let world: DashboardFixture;
let lea: DashboardClient;
let base: string;
let viewId: string;
const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));

beforeAll(async () => {
  world = await openDashboardFixture({ clock, env: { PUBLIC_URL: "https://starpost.example" } });
  lea = await world.signIn({ email: "lea@example.com" });
  const { workspaceId, deps } = world.service;
  base = `/workspaces/${workspaceId}`;
  const app = await anApp(deps.database, { workspaceId, name: "Tide & <Table>" });
  const odd = Object.values(oddTexts).map((text, index) =>
    aReview({ rating: 1, title: text.slice(0, 300), text, date: new Date(2026, 10, 1, index) }),
  );
  const many = Array.from({ length: 60 }, () =>
    aReview({ rating: 1, date: new Date("2026-10-01T00:00:00Z") }),
  );
  await saveReviews(deps.database, app, [...odd, ...many, aReview({ rating: 5, text: "Fine." })]);
  const { views } = (await lea.post(`${base}/views`, { name: "Bad & new", query: "rating=1" }))
    .json;
  viewId = views[0].id;
});
afterAll(() => world.close());

const openFeed = (client: DashboardClient, id: string, days: number | null = 365) =>
  client.post(`${base}/links`, { kind: "feed", viewId: id, days });
const open = async (): Promise<string> => (await openFeed(lea, viewId)).json.path;
const listFeeds = async () => (await lea.get(`${base}/outgoing`)).json.items;
const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.service.url}${path}`, { headers });

test("has the newest 50 reviews of the view, each text as it was written", async () => {
  const response = await read(await open());
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  expect(response.headers.get("x-robots-tag")).toBe("noindex");
  const xml = await response.text();
  const entries = xml.split("<entry>").slice(1);
  expect(entries).toHaveLength(50);
  expect(xml).toContain("<title>Bad &amp; new · Starpost</title>");
  expect(xml).toContain('href="https://starpost.example/w/');
  expect(xml).not.toContain("Fine.");
  // Inside of the XML there is HTML: unescaped once it is that, and its text unescaped twice what people wrote.
  const contents = entries.map((entry) =>
    decode(/<content type="html">(.*)<\/content>/s.exec(entry)?.[1] ?? ""),
  );
  for (const content of contents) {
    const tags = [...content.matchAll(/<(\/?[a-z]+)/g)].map(([, tag]) => tag?.replace("/", ""));
    expect(["p", "strong", "br"]).toEqual(expect.arrayContaining(tags));
  }
  const shown = contents.map((content) => decode(content.replace(/<br>/g, "\n")));
  for (const text of Object.values(oddTexts)) {
    expect(shown.some((one) => one.includes(`<p dir="auto">${text}</p>`))).toBe(true);
  }
});

const python = process.env["FEEDPARSER_PYTHON"];

// A parser of feeds, where one is named (npm run real-parts).
test.skipIf(python === undefined)(
  "feedparser reads every entry, with an id of its own",
  async () => {
    const xml = await (await read(await open())).text();
    const code = `import feedparser, json, sys
feed = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({"bozo": bool(feed.bozo), "ids": [one.id for one in feed.entries]}))`;
    const { stdout, stderr } = spawnSync(python ?? "", ["-c", code], {
      input: xml,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const { bozo, ids } = JSON.parse(stdout);
    expect([bozo, ids.length, new Set(ids).size]).toEqual([false, 50, 50]);
  },
);

test("an unchanged feed is a 304 for readers that have it", async () => {
  const path = await open();
  const etag = (await read(path)).headers.get("etag") ?? "";
  expect((await read(path, { "if-none-match": etag })).status).toBe(304);
});

test("each link ends by itself, and all end with the view", async () => {
  const { views } = (await lea.post(`${base}/views`, { name: "Ending", query: "rating=1" })).json;
  const { id } = views.find(({ name }: { name: string }) => name === "Ending");
  const [first, second] = [
    (await openFeed(lea, id)).json.path,
    (await openFeed(lea, id)).json.path,
  ];
  const [newest] = (await listFeeds()).filter(({ kind }: { kind: string }) => kind === "feed");
  expect(newest).toMatchObject({ kind: "feed", name: "Ending" });
  await lea.delete(`${base}/links/${newest.id}`);
  expect((await read(second)).status).toBe(404);
  expect((await read(first)).status).toBe(200);
  await lea.delete(`${base}/views/${id}`);
  expect((await read(first)).status).toBe(404);
});

test("the link stands nowhere in the database", async () => {
  const path = await open();
  const { views } = (await lea.get(`${base}/views`)).json;
  expect(JSON.stringify(views)).not.toContain(path.slice("/feeds/".length));
});

test("30 readings a minute of one feed, and 30 tries of links that are none", async () => {
  const path = await open();
  clock.advance(120_000);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) statuses.push((await read(path)).status);
  expect(statuses).toEqual([...Array(30).fill(200), 429]);
  const wrong: number[] = [];
  for (let count = 0; count < 31; count += 1) {
    wrong.push((await read(`/feeds/${"x".repeat(43)}`)).status);
  }
  expect(wrong).toEqual([...Array(30).fill(404), 429]);
  const limited = await read(path);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  clock.advance(120_000);
  expect((await read(path)).status).toBe(200);
});

test("a view whose app is gone has no feed to read, and other paths are not found", async () => {
  const { database } = world.service.deps;
  const app = await anApp(database, { workspaceId: world.service.workspaceId });
  const { views } = (await lea.post(`${base}/views`, { name: "Gone", query: `app=${app.id}` }))
    .json;
  const gone = views.find(({ name }: { name: string }) => name === "Gone");
  const { path } = (await openFeed(lea, gone.id)).json;
  expect((await read(path)).status).toBe(200);
  await database.deleteApp(app.id);
  expect((await read(path)).status).toBe(404);
  expect((await openFeed(lea, gone.id)).status).toBe(404);
  expect((await read("/feeds/x")).status).toBe(404);
});

function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

describe("a link", () => {
  const countEntries = async (path: string): Promise<number> =>
    (await (await read(path)).text()).split("<entry>").length - 1;
  const saveAs = async (name: string, query: string): Promise<string> => {
    const { views } = (await lea.post(`${base}/views`, { name, query })).json;
    return views.find((view: { name: string }) => view.name === name).id;
  };
  test("is made by owners with a recent password alone, and shows who made it and its last use", async () => {
    const id = await saveAs("Owned", "rating=5");
    const member = await world.signIn({ email: "member@example.com", role: "member" });
    expect((await openFeed(member, id)).status).toBe(403);
    const { path } = (await openFeed(lea, id)).json;
    const list = async () =>
      (await member.get(`${base}/outgoing`)).json.items.find(
        ({ name }: { name: string }) => name === "Owned",
      );
    expect(await list()).toMatchObject({ madeBy: "lea", usedAt: null });
    await read(path);
    expect(await list()).toMatchObject({ usedAt: formatTimestamp(clock.now()) });
    const [session] = (await lea.get("/session/sessions")).json.sessions;
    const provedAt = new Date(clock.now().getTime() - 16 * 60_000);
    await world.service.deps.database.proveSession({ id: session.id, provedAt });
    expect((await openFeed(lea, id)).json.code).toBe("reauthentication_required");
    await world.service.deps.database.proveSession({ id: session.id, provedAt: clock.now() });
  });

  test("keeps the query with which it was made, even when another user saves the view again", async () => {
    const id = await saveAs("Narrow", "rating=5");
    const { path } = (await openFeed(lea, id)).json;
    const before = await countEntries(path);
    await saveAs("Narrow", "");
    expect(await countEntries(path)).toBe(before);
  });

  test("with a filter that this version does not know is not made", async () => {
    const id = await saveAs("Typo", "ratting=1");
    const { status, json } = await openFeed(lea, id);
    expect([status, json.fields[0].field]).toEqual([400, "ratting"]);
  });

  test("ends with its maker's membership, whose channels the owners are shown", async () => {
    const other = await world.signIn({ email: "other@example.com" });
    const id = await saveAs("Others", "rating=5");
    const { path } = (await openFeed(other, id)).json;
    const channel = { ...channelDefaults, name: "Left behind", url: "http://127.0.0.1:9/hook" };
    expect((await other.post(`${base}/channels`, channel)).status).toBe(200);
    expect((await read(path)).status).toBe(200);
    const { members } = (await lea.get(`${base}/members`)).json;
    const { userId } = members.find(
      ({ email }: { email: string }) => email === "other@example.com",
    );
    const removed = await lea.delete(`${base}/members/${userId}`);
    expect(removed.json.channels).toMatchObject([{ name: "Left behind" }]);
    expect((await read(path)).status).toBe(404);
  });

  test("ends when its maker becomes a viewer", async () => {
    const maker = await world.signIn({ email: "maker@example.com" });
    const { path } = (await openFeed(maker, await saveAs("Made", "rating=5"))).json;
    expect((await read(path)).status).toBe(200);
    const { members } = (await lea.get(`${base}/members`)).json;
    const { userId } = members.find(
      ({ email }: { email: string }) => email === "maker@example.com",
    );
    await lea.patch(`${base}/members/${userId}`, { role: "viewer" });
    expect((await read(path)).status).toBe(404);
  });

  test("ends after its days, or by hand alone", async () => {
    const id = await saveAs("Yearly", "rating=5");
    expect((await openFeed(lea, id, 366)).status).toBe(400);
    const { path } = (await openFeed(lea, id, 365)).json;
    const { path: endless } = (await openFeed(lea, id, null)).json;
    const { database } = world.service.deps;
    const find = (feed: string, ms: number) =>
      database.with(statements).findSharedLink({
        tokenHash: hashToken(feed.slice("/feeds/".length)),
        kinds: ["feed"],
        now: new Date(clock.now().getTime() + ms),
      });
    const year = 365 * 86_400_000;
    expect(await find(path, year - 1)).not.toBeNull();
    expect(await find(path, year)).toBeNull();
    expect(await find(endless, 9 * year)).not.toBeNull();
  });

  test("is deleted within the hour after its end", async () => {
    const { workspaceId, deps } = world.service;
    const actor: string = (await lea.get("/session")).json.user.id;
    const page = { kind: "feed", viewId, name: "Ended", query: "", frozen: null, days: 0 };
    await createSharedLink({ ...deps, actor }, { workspaceId, ...page });
    const list = async () => {
      const stored = { workspaceId, now: new Date(0) };
      const links = await deps.database.with(statements).listSharedLinks(stored);
      return links.map(({ name }) => name);
    };
    expect(await list()).toContain("Ended");
    const maintenance = startSessionMaintenance(deps);
    await expect.poll(list).not.toContain("Ended");
    await maintenance.close();
  });
});
