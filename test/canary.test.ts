// The check of the stores by well-known apps: its results, and that it runs once a day for all processes, only where
// public pages are read.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FaultName } from "../simulator/faults.ts";
import { type StoreId, storeIds } from "../src/domain/store/store-id.ts";
import { storeTraits } from "../src/domain/store/store-traits.ts";
import { checkDueStores } from "../src/features/doctor/canary-worker.ts";
import { nameOfCheck, planStoreChecks } from "../src/features/doctor/check-stores.ts";
import { type Log, silentLog } from "../src/lib/log.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import type { KnownApp } from "../src/stores/shapes/known-values.ts";
import { readStatus } from "../src/use-cases/status/read-status.ts";
import { anApp, aWorkspace } from "./support/factories.ts";
import { openStoreHarness, type StoreHarness, testRegions } from "./support/store-harness.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let harness: StoreHarness;
beforeEach(async () => {
  context = await openTestContext();
  harness = await openStoreHarness({});
  for (const store of storeIds) {
    const app = { store, externalAppId: storeTraits[store].canaryApp };
    const region = testRegions[store];
    harness.storeState.addApp({ ...app, name: "Tidepool" });
    for (let hour = 40; hour > 0; hour -= 1) {
      const at = new Date(harness.clock.now().getTime() - hour * hourMs);
      const text = `The tide table of port ${hour} is right`;
      harness.storeState.addReview(app, { rating: 4, text, region, at });
    }
    const rated = storeTraits[store].soleRegion ?? "us";
    harness.storeState.setRatings(app, { region: rated, histogram: [10, 10, 10, 20, 50] });
  }
});
afterEach(async () => {
  await harness.close();
  await context.close();
});

const stores = () => harness.stores;

const check = () =>
  Promise.all(
    planStoreChecks(stores()).map(async (one) => ({
      name: nameOfCheck(one),
      fault: await one.findFault(),
    })),
  );

test("pages as they should be have no fault", async () => {
  expect(await check()).toEqual([
    { name: "App Store reviews", fault: null },
    { name: "App Store ratings", fault: null },
    { name: "Google Play reviews", fault: null },
    { name: "Google Play ratings", fault: null },
    { name: "Firefox Add-ons reviews", fault: null },
    { name: "Firefox Add-ons ratings", fault: null },
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
    expect.stringMatching(words),
  ]);
});

async function follow(store: StoreId): Promise<void> {
  const workspace = await aWorkspace(context.database);
  await anApp(context.database, { workspaceId: workspace.id, store });
}

/** One round of a process. Returns how many requests the stores got. */
async function runRound(log: Log = silentLog): Promise<number> {
  const before = harness.simulator.requests.length;
  const deps = { clock: harness.clock, database: context.database, log, stores: stores() };
  await checkDueStores(deps, new AbortController().signal);
  return harness.simulator.requests.length - before;
}

async function listChecks() {
  const pace = { requestsPerSecond: 1, intervalMinutes: 60 };
  const { checks, isHealthy } = await readStatus({ ...context, pace });
  expect(isHealthy).toBe(true);
  return checks.filter((line) => line.check.endsWith("well-known app"));
}

test("an installation that reads no public page asks no store", async () => {
  expect(await runRound()).toBe(0);
  expect(await listChecks()).toEqual([]);
});

test("two processes check once a day, and only the store whose pages are read", async () => {
  await follow("appstore");
  const counts = await Promise.all([runRound(), runRound()]);
  expect(counts.some((count) => count > 0)).toBe(true);
  expect(await listChecks()).toEqual([
    expect.objectContaining({ state: "ok", check: "App Store ratings of a well-known app" }),
    expect.objectContaining({ state: "ok", check: "App Store reviews of a well-known app" }),
  ]);
  harness.clock.advance(22 * hourMs);
  expect(await runRound()).toBe(0);
  harness.clock.advance(2 * hourMs);
  expect(await runRound()).toBeGreaterThan(0);
});

test("a fault is a warning of the status and of the log until a page passes in a later round", async () => {
  await follow("googleplay");
  harness.simulator.faultFlags.enable({ fault: "undated" });
  const warnings: unknown[] = [];
  await runRound({ ...silentLog, warn: (facts) => warnings.push(facts) });
  expect(warnings).toEqual([
    { check: "Google Play reviews", fault: expect.stringMatching(/has a date/) },
  ]);
  expect(await listChecks()).toContainEqual(
    expect.objectContaining({
      state: "warning",
      check: "Google Play reviews of a well-known app",
      detail: expect.stringMatching(/has a date.*starpost doctor --stores/),
    }),
  );
  expect(await runRound()).toBe(0);
  harness.simulator.faultFlags.disable("undated");
  harness.clock.advance(59 * minuteMs);
  expect(await runRound()).toBe(1);
  expect((await listChecks()).map(({ state }) => state)).toEqual(["ok", "ok"]);
});

test("ratings of the app are known after a good check, and pages that can't be read don't replace them", async () => {
  await follow("googleplay");
  const knownApps = new Map<StoreId, KnownApp>();
  const healed: unknown[] = [];
  const healer = {
    findSoleShape: () => null,
    refresh: async () => {},
    heal: async (feed: { app?: unknown }) => void healed.push(feed.app),
  };
  const run = () => {
    const deps = { clock: harness.clock, database: context.database, log: silentLog };
    const signal = new AbortController().signal;
    return checkDueStores({ ...deps, stores: stores(), healer, knownApps }, signal);
  };
  await run();
  const known = knownApps.get("googleplay");
  expect(known).toMatchObject({ name: "Tidepool", ratings: { total: 100 } });
  harness.simulator.faultFlags.enable({ fault: "refused", status: 403 });
  harness.clock.advance(24 * hourMs);
  await run();
  expect(healed).toEqual([null, known]);
  expect(knownApps.get("googleplay")).toBe(known);
});
