import { afterEach, beforeEach, expect, test } from "vitest";
import type { FaultName } from "../../simulator/faults.ts";
import { openStoreHarness, type StoreHarness } from "../../simulator/store-harness.ts";
import { hourMs } from "../lib/timestamp.ts";
import { canaryApps, checkStorePages, type StoreCheck } from "./check-stores.ts";

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({});
  for (const [store, externalAppId] of Object.entries(canaryApps)) {
    const app = { store: store as keyof typeof canaryApps, externalAppId };
    const region = store === "appstore" ? "us" : "en";
    harness.storeState.addApp({ ...app, name: "Tidepool" });
    for (let hour = 40; hour > 0; hour -= 1) {
      const at = new Date(harness.clock.now().getTime() - hour * hourMs);
      const text = `The tide table of port ${hour} is right`;
      harness.storeState.addReview(app, { rating: 4, text, region, at });
    }
    harness.storeState.setRatings(app, { region: "us", histogram: [10, 10, 10, 20, 50] });
  }
});
afterEach(() => harness.close());

function check(): Promise<StoreCheck[]> {
  const { url } = harness.simulator;
  const bases = { itunesBaseUrl: url, appleAppsBaseUrl: url, googlePlayBaseUrl: url };
  return checkStorePages(bases, harness);
}

test("pages as they should be have no fault", async () => {
  expect(await check()).toEqual([
    { name: "App Store reviews", fault: null },
    { name: "App Store ratings", fault: null },
    { name: "Google Play reviews", fault: null },
    { name: "Google Play ratings", fault: null },
  ]);
});

test.each<[FaultName, RegExp]>([
  ["undated", /none of the 40 reviews of a page has a date/],
  ["refused", /403/],
])("a page that is %s is named in words", async (fault, words) => {
  harness.simulator.faultFlags.enable(fault === "refused" ? { fault, status: 403 } : { fault });
  const reviews = (await check()).filter(({ name }) => name.endsWith("reviews"));
  expect(reviews.map((one) => one.fault)).toEqual([
    expect.stringMatching(words),
    expect.stringMatching(words),
  ]);
});
