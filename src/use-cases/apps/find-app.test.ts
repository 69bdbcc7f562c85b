// Apps that people name by a link, a slug or a guid are found under the id that never changes.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStoreHarness, type StoreHarness } from "../../../test/support/store-harness.ts";
import { defaultCountries } from "../../domain/feed/listing.ts";
import type { Store } from "../../stores/store.ts";
import { chooseRegions } from "./app-regions.ts";
import { findApp } from "./find-app.ts";

const none = { store: null, externalAppId: null, link: null, bundleId: null, search: null };
const everywhere = { ...none, countries: null };

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000 });
  harness.storeState.addApp({
    ...{ store: "firefoxaddons", externalAppId: "2764310" },
    ...{ name: "Lanternfish Tides", bundleId: "tides@x.example" },
  });
});
afterEach(() => harness.close());

describe("an add-on is found", () => {
  const link = (path: string) => ({ link: `https://addons.mozilla.org/${path}` });
  const store = "firefoxaddons";
  test.each([
    ["by its link", link("en-US/firefox/addon/lanternfish-tides/")],
    ["by a link with its number", link("firefox/addon/2764310/reviews/?score=1")],
    ["by a link with its guid", link("de/android/addon/tides%40x.example/")],
    ["by its address in the API", link("api/v5/addons/addon/lanternfish-tides/")],
    ["by its number", { store, externalAppId: "2764310" }],
    ["by its slug", { store, externalAppId: "lanternfish-tides" }],
    ["by its guid", { store, bundleId: "tides@x.example" }],
    ["by words", { store, search: "tides" }],
  ])("%s", async (_, named) => {
    const found = await findApp(harness.stores, { ...everywhere, ...named });
    expect(found).toMatchObject({ store, externalAppId: "2764310" });
  });

  test("not by a slug that the store doesn't know, or while it is away", async () => {
    const find = () => findApp(harness.stores, { ...everywhere, ...link("firefox/addon/other/") });
    await expect(find()).rejects.toMatchObject({
      ...{ code: "not_found", message: "firefoxaddons has no app other" },
    });
    harness.simulator.faultFlags.enable({ fault: "server_error" });
    await expect(find()).rejects.toMatchObject({ code: "unavailable" });
  });
});

test("an app that one country alone sells is found there by its bundle id, and among the default countries", async () => {
  const store = "appstore";
  const [sold = "", other = ""] = defaultCountries.toReversed();
  const app = { externalAppId: "900100200", name: "Ferry", iconUrl: "" };
  const findApps: Store["findApps"] = async ({ region }) =>
    region === sold ? { outcome: "ok", value: [app] } : { outcome: "empty" };
  const stores = { ...harness.stores, appstore: { ...harness.stores.appstore, findApps } };
  const find = (countries: string[] | null) =>
    findApp(stores, { ...none, store, bundleId: "com.example.ferry", countries });
  expect(await find(null)).toMatchObject({ externalAppId: app.externalAppId, region: sold });
  expect(await find([other, sold])).toMatchObject({ region: sold });
  await expect(find([other])).rejects.toMatchObject({ code: "not_found" });
});

test("a store without storefronts has one region, whatever is chosen, and says so", () => {
  const chosen = { countries: ["us", "de"], languages: ["en"], foundIn: "us" };
  expect(chooseRegions("firefoxaddons", chosen)).toEqual({
    regions: { countries: ["001"], languages: [] },
    warnings: [
      "storefronts are ignored: Firefox Add-ons has none",
      "languages are ignored: Firefox Add-ons has one list for all",
    ],
  });
  expect(chooseRegions("firefoxaddons", { countries: null, languages: null }).warnings).toEqual([]);
});
