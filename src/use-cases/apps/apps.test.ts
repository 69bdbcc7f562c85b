import { afterAll, beforeAll, expect, test } from "vitest";
import { type AddAppInput, addApp, removeApp } from "../../../test/support/acts.ts";
import { aWorkspace } from "../../../test/support/factories.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { ofEachStore } from "../../domain/store/store-id.ts";
import { listAppsWithCoverage } from "./apps.ts";
import type { StoreAppLookup } from "./store-lookup.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

type LookupResult = Awaited<ReturnType<StoreAppLookup["fetchApp"]>>;

const found: LookupResult = {
  outcome: "ok",
  value: { name: "Tidepool", iconUrl: "https://icon.example/1" },
};
const silent: LookupResult = {
  outcome: "unknown",
  reason: "the store is not reachable",
};

/** A store that answers by storefront and remembers where it was asked. */
function aStore(
  answer: (region: string) => LookupResult,
): StoreAppLookup & { requestedRegions: string[] } {
  const requestedRegions: string[] = [];
  return {
    requestedRegions,
    validateAppId: (text) =>
      /^\d+$/.test(text) ? { ok: true } : { ok: false, reason: "must be a number" },
    async fetchApp({ region }) {
      requestedRegions.push(region);
      return answer(region);
    },
  };
}

let externalIdCount = 0;

async function add(
  input: Partial<AddAppInput> = {},
  store = aStore(() => found),
): ReturnType<typeof addApp> {
  externalIdCount += 1;
  const play = { ...store, validateAppId: () => ({ ok: true }) as const };
  return addApp(
    { ...context, actor: "test", stores: { ...ofEachStore(() => play), appstore: store } },
    {
      workspaceId: input.workspaceId ?? (await aWorkspace(context.database)).id,
      store: "appstore",
      externalAppId: String(externalIdCount),
      name: null,
      countries: null,
      languages: null,
      isCollected: true,
      ...input,
    },
  );
}

async function regionsOf(listingId: string): Promise<string[]> {
  const feeds = await context.database.listFeeds(listingId);
  return feeds.map(({ kind, region }) => `${kind} ${region}`);
}

test("an App Store app gets the store's name and feeds for the ten default storefronts", async () => {
  const { app, warning } = await add();
  expect(app).toMatchObject({ name: "Tidepool", iconUrl: "https://icon.example/1", languages: [] });
  expect(warning).toBeNull();
  const regions = await regionsOf(app.listingId);
  expect(regions.filter((region) => region.startsWith("reviews "))).toHaveLength(10);
  expect(regions.filter((region) => region.startsWith("ratings "))).toHaveLength(10);
});

test("a Google Play app is read by language, and its ratings by storefront", async () => {
  const input = {
    store: "googleplay",
    externalAppId: "com.example.tides",
    languages: ["de", "EN"],
  };
  const { app } = await add(input);
  expect(await regionsOf(app.listingId)).toEqual(["reviews de", "reviews en", "ratings us"]);
});

test("workspaces share a public listing; its feeds are the union of what they follow", async () => {
  const externalAppId = "900100";
  const one = await add({ externalAppId, countries: ["us"] });
  const other = await add({ externalAppId, countries: ["de", "us"] });
  expect(other.app.listingId).toBe(one.app.listingId);
  expect(await regionsOf(one.app.listingId)).toHaveLength(4);
  // Regions that others follow are not shown.
  const [listed] = await listAppsWithCoverage(context, { workspaceId: one.app.workspaceId });
  expect(listed?.feeds.map(({ region }) => region)).toEqual(["us", "us"]);

  const deps = { ...context, actor: "cli" };
  await removeApp(deps, { id: other.app.id, workspaceId: null });
  expect(await regionsOf(one.app.listingId)).toEqual(["reviews us", "ratings us"]);
  await removeApp(deps, { id: one.app.id, workspaceId: null });
  expect(await context.database.findListing(one.app.listingId)).toBeNull();
  expect(await listAuditEntries(context.database, one.app.id)).toMatchObject([
    { action: "app.added" },
    { action: "app.removed" },
  ]);
});

test.each([
  [{ store: "amazon" }, "store", "must be one of"],
  [{ externalAppId: "tides" }, "externalAppId", "must be a number"],
  [{ countries: ["zz"] }, "countries", 'no storefront "zz"'],
  [{ countries: [] }, "countries", "at least one"],
  [{ languages: ["klingon"] }, "languages", "no language"],
  [{ name: " " }, "name", "must not be empty"],
  [{ workspaceId: "17" }, "workspace", "is not an id"],
])("%j is refused by the name of its option", async (input, field, message) => {
  await expect(add(input)).rejects.toMatchObject({
    code: "invalid_input",
    fields: [{ field, message: expect.stringContaining(message) }],
  });
});

test("an app that no storefront sells is refused with the storefronts that were asked", async () => {
  const input = { externalAppId: "900200", countries: ["us", "jp"] };
  const refused = add(
    input,
    aStore(() => ({ outcome: "empty" })),
  );
  await expect(refused).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("no app 900200 in us, jp"),
  });
});

test("the number of something else is refused with what it is", async () => {
  const note = "the number is of another kind (software-bundle)";
  const refused = add(
    {},
    aStore(() => ({ outcome: "empty", note })),
  );
  await expect(refused).rejects.toThrow(note);
});

test("storefronts are asked until one has the app, and never more than ten", async () => {
  const store = aStore((region) => (region === "jp" ? found : { outcome: "empty" }));
  await add({ countries: ["us", "jp", "de"] }, store);
  expect(store.requestedRegions).toEqual(["us", "jp"]);
  const nowhere = aStore(() => ({ outcome: "empty" }));
  await expect(add({ countries: ["all"] }, nowhere)).rejects.toThrow();
  expect(nowhere.requestedRegions).toHaveLength(10);
});

test("a store that can't be asked has not said no: the app is added with a warning", async () => {
  const store = aStore(() => silent);
  const { app, warning } = await add({}, store);
  expect(warning).toContain("the store is not reachable");
  expect(app.name).toBe(app.externalAppId);
});

test("languages that Google Play shows as one list are followed with a warning", async () => {
  const input = { store: "googleplay", externalAppId: "com.example.tide" } as const;
  const { warning } = await add({ ...input, languages: ["en", "en-GB", "de", "zh-CN", "zh-TW"] });
  expect(warning).toContain("one list for all countries: en-GB may repeat");
  const other = { ...input, externalAppId: "com.example.tides" };
  expect((await add({ ...other, languages: ["en", "de"] })).warning).toBeNull();
});

test("without collecting, the listing is private, has no feeds, and no store is asked", async () => {
  const store = aStore(() => found);
  const { app, warning } = await add({ isCollected: false, countries: ["us"] }, store);
  expect(store.requestedRegions).toEqual([]);
  expect(warning).toContain("nothing is collected");
  expect(await regionsOf(app.listingId)).toEqual([]);
  expect(await context.database.findListing(app.listingId)).toMatchObject({
    workspaceId: app.workspaceId,
  });
});

test("a workspace follows an app once, through whatever source", async () => {
  const { app } = await add();
  const { workspaceId, externalAppId } = app;
  const again = add({ workspaceId, externalAppId, isCollected: false });
  await expect(again).rejects.toMatchObject({ code: "conflict" });
});

test("the list shows the coverage of every feed and nothing that is held back", async () => {
  const { app } = await add({ countries: ["us"] });
  const [listed] = await listAppsWithCoverage(context, { workspaceId: app.workspaceId });
  expect(listed?.feeds[0]).toMatchObject({ kind: "reviews", region: "us", outcome: null });
  expect(listed?.feeds[0]).not.toHaveProperty("heldReading");
});

test("another workspace's app can't be removed, and looks as if it were not there", async () => {
  const { app } = await add();
  const { id: workspaceId } = await aWorkspace(context.database);
  const removal = removeApp({ ...context, actor: "cli" }, { id: app.id, workspaceId });
  await expect(removal).rejects.toMatchObject({ code: "not_found" });
});
