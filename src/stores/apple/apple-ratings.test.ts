// Ratings, facts and searches of the App Store against the simulated store over real HTTP.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStoreHarness, type StoreHarness } from "../../../test/support/store-harness.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";

const app = { store: "appstore", externalAppId: "1987000001" } as const;
const inUs = { externalAppId: app.externalAppId, region: "us" };
const histogram = [4, 1, 2, 3, 10] as const;

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000 });
  harness.storeState.addApp({ ...app, name: "Lanternfish", bundleId: "app.lanternfish.ios" });
  harness.storeState.setRatings(app, { region: "us", histogram });
});
afterEach(() => harness.close());

describe("ratings", () => {
  test("the product page gives the histogram, and the average that it means", async () => {
    expect(await harness.apple.fetchRatings(inUs)).toEqual({
      outcome: "ok",
      value: { average: 3.7, total: 20, histogram, source: "product page" },
    });
    expect(harness.simulator.requests.length).toBe(1);
  });

  test("a histogram in the wrong order is left for that of the page of customer reviews", async () => {
    harness.simulator.faultFlags.enable({ fault: "reversed_histogram" });
    const ratings = await harness.apple.fetchRatings(inUs);
    expect(ratings).toMatchObject({ value: { histogram, source: "customer reviews page" } });
  });

  test("without another source the wrong order leaves no histogram", async () => {
    harness.simulator.faultFlags.enable({ fault: "reversed_histogram" });
    harness.simulator.faultFlags.enable({
      fault: "empty_body",
      when: { kind: "customer-reviews" },
    });
    const ratings = await harness.apple.fetchRatings(inUs);
    expect(ratings).toMatchObject({ value: { average: 3.7, total: 20, histogram: null } });
  });

  test("where the page has only one decimal, the lookup knows the average better", async () => {
    harness.storeState.setRatings(app, { region: "us", histogram: [4, 1, 3, 2, 10] });
    harness.simulator.faultFlags.enable({ fault: "reversed_histogram" });
    harness.simulator.faultFlags.enable({
      fault: "empty_body",
      when: { kind: "customer-reviews" },
    });
    const exact = { average: 3.65, total: 20, source: "product page" };
    expect(await harness.apple.fetchRatings(inUs)).toMatchObject({ value: exact });
    harness.simulator.faultFlags.enable({ fault: "too_many", when: { kind: "lookup" } });
    // Ratings that are read again are not those of the reading before.
    harness.clock.advance(15 * minuteMs);
    const rounded = await harness.apple.fetchRatings(inUs);
    expect(rounded).toMatchObject({ value: { average: 3.7, total: 20 } });
  });

  test("without the product page, the lookup is joined by the page of customer reviews", async () => {
    harness.simulator.faultFlags.enable({ fault: "too_many", when: { kind: "product-page" } });
    const ratings = await harness.apple.fetchRatings(inUs);
    expect(ratings).toMatchObject({
      value: { average: 3.7, histogram, source: "customer reviews page" },
    });
  });

  test("with neither page, the lookup gives average and count", async () => {
    harness.simulator.faultFlags.enable({ fault: "too_many", when: { kind: "product-page" } });
    harness.simulator.faultFlags.enable({ fault: "too_many", when: { kind: "customer-reviews" } });
    const ratings = await harness.apple.fetchRatings(inUs);
    expect(ratings).toMatchObject({ value: { total: 20, histogram: null, source: "lookup" } });
    expect(ratings.outcome === "ok" && ratings.value.average).toBeCloseTo(3.7, 10);
  });

  test.each(["de", "fr", "ch", "br", "us"])(
    "thousands as %s writes them are read",
    async (region) => {
      const many = [4_123, 1_000, 2_345_678, 3, 10_000] as const;
      harness.storeState.setRatings(app, { region, histogram: many });
      harness.simulator.faultFlags.enable({
        fault: "server_error",
        when: { kind: "product-page" },
      });
      const ratings = await harness.apple.fetchRatings({ ...inUs, region });
      expect(ratings).toMatchObject({ value: { total: 2_360_804, histogram: many } });
    },
  );

  test("a storefront without a known number does without that page", async () => {
    harness.storeState.setRatings(app, { region: "xk", histogram });
    harness.simulator.faultFlags.enable({ fault: "server_error", when: { kind: "product-page" } });
    const ratings = await harness.apple.fetchRatings({ ...inUs, region: "xk" });
    expect(ratings).toMatchObject({ value: { total: 20, histogram: null, source: "lookup" } });
    expect(harness.simulator.requests.map(({ kind }) => kind)).toEqual(["product-page", "lookup"]);
  });

  test("an app without ratings has none, and an app that is not sold is empty", async () => {
    expect(await harness.apple.fetchRatings({ ...inUs, region: "fr" })).toEqual({
      outcome: "ok",
      value: { average: 0, total: 0, histogram: [0, 0, 0, 0, 0], source: "lookup" },
    });
    harness.storeState.removeApp(app);
    expect(await harness.apple.fetchRatings(inUs)).toEqual({ outcome: "empty" });
    expect(await harness.apple.fetchApp(inUs)).toEqual({ outcome: "empty" });
  });

  test("an app that one storefront gave up is gone there and nowhere else", async () => {
    harness.storeState.setRatings(app, { region: "de", histogram });
    harness.storeState.withdrawApp(app, "de");
    expect(await harness.apple.fetchRatings({ ...inUs, region: "de" })).toEqual({
      outcome: "empty",
    });
    expect(await harness.apple.fetchRatings(inUs)).toMatchObject({ outcome: "ok" });
  });
});

describe("facts", () => {
  test("an app's details are its name, its icon and what the store says of the release", async () => {
    expect(await harness.apple.fetchApp(inUs)).toEqual({
      outcome: "ok",
      value: {
        externalAppId: app.externalAppId,
        developer: "Sample Makers",
        name: "Lanternfish",
        iconUrl: "https://images.sample.invalid/icon/512x512bb.png",
        facts: {
          version: "1.0.0",
          releaseNotes: null,
          releasedAt: null,
          genre: null,
          price: null,
          installs: null,
        },
      },
    });
  });

  test("one lookup brings along what others will need there, up to 150 apps", async () => {
    await harness.close();
    const others = Array.from({ length: 200 }, (_, index) => String(500_000 + index));
    harness = await openStoreHarness({ listCompanions: async () => others });
    const { apple, clock, simulator, storeState } = harness;
    for (const externalAppId of others.slice(0, 190)) {
      storeState.addApp({ store: "appstore", externalAppId });
    }
    const find = (externalAppId: string) => apple.fetchApp({ externalAppId, region: "US" });
    for (const id of others.slice(0, 150)) expect(await find(id)).toMatchObject({ outcome: "ok" });
    expect(simulator.requests.map(({ kind }) => kind)).toEqual(["lookup"]);
    for (const id of others.slice(150, 190))
      expect(await find(id)).toMatchObject({ outcome: "ok" });
    expect(simulator.requests).toHaveLength(2);
    clock.advance(hourMs + 1);
    await find(others[0] ?? "");
    expect(simulator.requests).toHaveLength(3);
  });

  test("that an app is not sold is believed only of a lookup of this app alone", async () => {
    await harness.close();
    harness = await openStoreHarness({ listCompanions: async () => ["500001"] });
    harness.storeState.addApp({ store: "appstore", externalAppId: "500001" });
    expect(await harness.apple.fetchApp(inUs)).toEqual({ outcome: "empty" });
    const requestedIds = harness.simulator.requests.map(({ url }) => url.searchParams.get("id"));
    expect(requestedIds).toEqual([`${app.externalAppId},500001`, app.externalAppId]);
  });

  test("ids are decimal numbers", () => {
    expect(harness.apple.validateAppId("389801252")).toEqual({ ok: true });
    for (const text of ["", "id389801252", "12a", "0123", " 1", "1".repeat(21)]) {
      expect(harness.apple.validateAppId(text).ok).toBe(false);
    }
  });
});

describe("finding apps", () => {
  test("a term finds apps that have a word of it, the best match first, and no songs", async () => {
    harness.storeState.addApp({
      store: "appstore",
      externalAppId: "7",
      name: "Lanternfish Planner",
    });
    const found = await harness.apple.findApps({ term: "lanternfish planner", region: "us" });
    expect(found).toMatchObject({
      outcome: "ok",
      value: [{ externalAppId: "7" }, { externalAppId: app.externalAppId }],
    });
  });

  test("a term that fits nothing is empty, whatever the store offers instead", async () => {
    expect(await harness.apple.findApps({ term: "zzqx", region: "us" })).toEqual({
      outcome: "empty",
    });
  });

  test("a bundle id finds its app, and no other", async () => {
    const found = await harness.apple.findApps({ bundleId: "app.lanternfish.ios", region: "us" });
    expect(found).toMatchObject({ outcome: "ok", value: [{ externalAppId: app.externalAppId }] });
    const none = await harness.apple.findApps({ bundleId: "app.unheard.of", region: "us" });
    expect(none).toEqual({ outcome: "empty" });
  });

  test("a store that refuses is unknown", async () => {
    harness.simulator.faultFlags.enable({ fault: "too_many", retryAfter: "30" });
    const found = await harness.apple.findApps({ term: "lanternfish", region: "us" });
    expect(found).toMatchObject({ outcome: "unknown", blocked: true, retryAfterMs: 30_000 });
  });

  test.each([
    ["https://apps.apple.com/de/app/lanternfish/id1987000001", "1987000001", "de"],
    ["https://apps.apple.com/app/id1987000001", "1987000001", null],
    ["apps.apple.com/UK/app/id1987000001?mt=8&platform=iphone", "1987000001", "gb"],
    ["https://itunes.apple.com/us/app/lantern-fish/id1987000001?mt=8", "1987000001", "us"],
    ["https://itunes.apple.com/app/viewSoftware?id=1987000001", "1987000001", null],
    ["itms-apps://itunes.apple.com/jp/app/id1987000001", "1987000001", "jp"],
    ["http://apps.apple.com/cn/app/%E7%81%AF/id1987000001#see-all", "1987000001", "cn"],
    ["id1987000001", "1987000001", null],
  ])("%s is a link", (text, externalAppId, region) => {
    expect(harness.apple.parseLink(` ${text} `)).toEqual({ externalAppId, region });
  });

  test.each([
    "",
    "1987000001",
    "https://apps.apple.com/us/developer/sample/12",
    "https://apps.apple.com.evil.example/us/app/id1987000001",
    "https://evil.example/apps.apple.com/us/app/id1987000001",
    "javascript:id1987000001",
    "https://apps.apple.com/us/app/id0",
    `id${"1".repeat(30)}`,
  ])("%j is none", (text) => {
    expect(harness.apple.parseLink(text)).toBeNull();
  });
});
