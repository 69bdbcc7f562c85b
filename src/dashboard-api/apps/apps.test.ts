// Apps over the real service and simulated stores: found, added, collected, changed, removed; and
// their icons.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createSampleStores,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../../../simulator/sample-stores.ts";
import { openSimulator, type Simulator } from "../../../simulator/simulator.ts";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { type RowChanges, watchRows } from "../../../test/support/row-changes.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIconProxy } from "../icon-proxy.ts";

let stores: Simulator;
let world: DashboardFixture;
let browser: DashboardClient;
let base: string;
let changes: RowChanges;

beforeAll(async () => {
  const { storeState: sample } = createSampleStores({
    clock: systemClock,
    pastDays: 30,
    aheadDays: 0,
  });
  stores = await openSimulator({ clock: systemClock, storeState: sample });
  const env = { ROLES: "dashboard,collect" };
  world = await openDashboardFixture({ storesUrl: stores.url, env });
  browser = await world.signIn({ email: "owner@example.com" });
  base = `/workspaces/${world.service.workspaceId}`;
  changes = await watchRows(world.service.deps.config.databaseUrl ?? "", ["feeds"]);
});
afterAll(async () => {
  await changes.close();
  await world.close();
  await stores.close();
});

const newApp = {
  store: "appstore",
  externalAppId: sampleAppStoreApp.externalAppId,
  name: null,
  foundIn: null,
  countries: ["us", "de"],
  languages: null,
  isCollected: true,
  credentialId: null,
};
const search = (text: string, more: object = {}) =>
  browser.post(`${base}/apps/find`, { text, store: null, country: null, ...more });

describe("an app is found", () => {
  test("by words, in both stores", async () => {
    const { apps, note } = (await search("driftnote")).json;
    expect(note).toBeNull();
    expect(apps.map((app: { store: string }) => app.store).sort()).toEqual([
      "appstore",
      "googleplay",
    ]);
    expect(apps[0]).toMatchObject({ name: sampleAppStoreApp.name, appId: null, foundIn: "us" });
  });

  test.each([
    ["an App Store id", sampleAppStoreApp.externalAppId, "appstore"],
    ["a package name", sampleGooglePlayApp.externalAppId, "googleplay"],
    ["a link", `https://apps.apple.com/de/app/id${sampleAppStoreApp.externalAppId}`, "appstore"],
  ])("by %s", async (_, text, store) => {
    const { apps } = (await search(text)).json;
    expect(apps).toHaveLength(1);
    expect(apps[0]).toMatchObject({ store });
  });

  test("never, when nothing is there, and the search says no to no words", async () => {
    expect((await search("999999999999")).json.apps).toEqual([]);
    expect((await search(" ")).json.fields[0].field).toBe("text");
    expect((await search("drift", { country: "xx" })).json.fields[0].field).toBe("country");
  });
});

/** Adding it made its feeds due: the service is collecting. */
function untilCollected(id: string) {
  return changes.until(
    async () => (await browser.get(`${base}/apps/${id}`)).json,
    ({ feeds }) => feeds.every((feed: { checkedAt: string | null }) => feed.checkedAt),
  );
}

test("an app is added, collected, changed and removed", async () => {
  const added = await browser.post(`${base}/apps`, newApp);
  expect(added.json.app).toMatchObject({
    name: sampleAppStoreApp.name,
    countries: ["us", "de"],
    storeUrl: `https://apps.apple.com/us/app/id${sampleAppStoreApp.externalAppId}`,
    collecting: { feedCount: 2 },
  });
  const { id } = added.json.app;
  expect((await browser.post(`${base}/apps`, newApp)).status).toBe(409);
  expect((await search("driftnote", { store: "appstore" })).json.apps[0].appId).toBe(id);

  const { database } = world.service.deps;
  const app = await database.findApp({ id, workspaceId: world.service.workspaceId });
  if (!app) throw new Error("the app is gone");
  const { app: shown, feeds } = await untilCollected(id);
  expect(shown.collecting).toMatchObject({ state: "good", baselineCount: 2, failing: [] });
  expect(shown.collecting.reviewCount).toBeGreaterThan(0);
  expect(
    feeds.map((feed: { kind: string; region: string }) => `${feed.kind} ${feed.region}`),
  ).toEqual(["reviews de", "reviews us", "ratings de", "ratings us"]);
  const hastened = await browser.post(`${base}/apps/${id}/collect`, {});
  expect(hastened.json).toEqual({ feedCount: 4 });

  const changed = await browser.patch(`${base}/apps/${id}`, {
    name: "Ours",
    countries: ["us", "FR"],
  });
  expect(changed.json.app).toMatchObject({ name: "Ours", countries: ["us", "fr"] });
  const regions = (await database.listFeeds(app.listingId)).map(({ region }) => region);
  expect([...new Set(regions)].sort()).toEqual(["fr", "us"]);
  const wrong = await browser.patch(`${base}/apps/${id}`, { countries: ["uk"] });
  expect(wrong.json.fields[0].message).toContain("gb");

  expect((await browser.post(`${base}/apps/${id}/translate`, {})).status).toBe(409);
  expect((await browser.delete(`${base}/apps/${id}`)).status).toBe(200);
  expect((await browser.get(`${base}/apps`)).json).toEqual({ apps: [] });
});

test("the options of forms are listed", async () => {
  const { storefronts, languages, topics } = (await browser.get("/choices")).json;
  expect(storefronts).toContain("us");
  expect(languages).toContain("pt");
  expect(topics).toContain("crash");
});

describe("pictures", () => {
  const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
  const requestedUrls: string[] = [];
  let body = png;
  const icons = createIconProxy({
    signingKey: Buffer.alloc(32, 3),
    settings: { storeBaseUrls: ["http://127.0.0.1:5000"] },
    async http({ url }) {
      requestedUrls.push(url);
      return { kind: "response", status: 200, headers: {}, body, url };
    },
  });
  const signatureOf = (url: string): string =>
    new URLSearchParams(icons.pathFor(url, "w")?.split("?")[1]).get("seal") ?? "";

  test("are fetched from the stores' hosts, once", async () => {
    const url = "https://is1-ssl.mzstatic.com/a.png";
    expect(await icons.find({ url, seal: signatureOf(url) })).toMatchObject({
      contentType: "image/png",
    });
    await icons.find({ url, seal: signatureOf(url) });
    expect(requestedUrls.filter((one) => one === url)).toHaveLength(1);
  });

  test.each([
    "https://mzstatic.com.evil.example/a.png",
    "http://is1-ssl.mzstatic.com/a.png",
    "http://169.254.169.254/latest",
    "http://127.0.0.1:5432/",
    "file:///etc/passwd",
    "no url",
  ])("are never fetched from %s", async (url) => {
    expect(icons.pathFor(url, "w")).toBeNull();
    expect(requestedUrls).not.toContain(url);
  });

  test("are not fetched for who made the address up, and must be pictures", async () => {
    const url = "https://is1-ssl.mzstatic.com/b.png";
    expect(await icons.find({ url, seal: "x".repeat(22) })).toBeNull();
    body = Buffer.from("<svg onload='alert(1)'>");
    expect(await icons.find({ url, seal: signatureOf(url) })).toBeNull();
    body = png;
  });
});
