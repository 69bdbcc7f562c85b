// A change of a store's layout lasts, and shows in more than one app: it must not confirm itself.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FaultName } from "../simulator/faults.ts";
import { storeTraits } from "../src/domain/store/store-traits.ts";
import { findFailingStorefronts } from "../src/features/alerts/find-alerts.ts";
import { hourMs } from "../src/lib/timestamp.ts";
import { readStatus } from "../src/use-cases/status/read-status.ts";
import { acceptIncident, rejectIncident } from "./support/acts.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let fixtures: CrawlFixture[] = [];

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(async () => {
  await fixtures[0]?.close();
  fixtures = [];
  for (const incident of await context.database.listLayoutIncidents())
    await context.database.rejectLayoutIncident(incident);
});

async function eachFixture<T>(run: (fixture: CrawlFixture) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const fixture of fixtures) results.push(await run(fixture));
  return results;
}

/** Two apps whose reviews were read and announced. */
async function openTwo(store: "appstore" | "googleplay"): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    const [beside] = fixtures;
    const fixture = await openCrawlFixture(context, { store, ...(beside && { beside }) });
    fixtures.push(fixture);
    fixture.writeReviews(10, { gapMs: hourMs });
    fixture.writeReviews(10, { gapMs: hourMs, rating: 2 });
    await fixture.crawl();
    fixture.harness.clock.advance(hourMs);
    fixture.writeReviews(5);
    await fixture.crawl();
  }
}

const advance = (): void => {
  fixtures[0]?.harness.clock.advance(4 * hourMs);
};

const stateOf = (fixture: CrawlFixture) =>
  Promise.all([fixture.storedReviews(), fixture.queuedEvents()]);

describe.each(["appstore", "googleplay"] as const)("%s", (store) => {
  const faults: FaultName[] = ["replaced_texts", "moved_field", "undated", "clock_step"];
  // The entries of Apple's feeds name their app, and are refused one by one.
  if (store === "googleplay") faults.push("foreign_feed");
  test.each(faults)(
    "%s in two apps over five readings saves and announces nothing, and all that is true afterwards",
    async (fault) => {
      await openTwo(store);
      const before = await eachFixture(stateOf);
      const created = fixtures.map((fixture) => fixture.writeReviews(3));
      for (const { harness } of fixtures) harness.simulator.faultFlags.enable({ fault });
      for (let reading = 0; reading < 5; reading += 1) {
        advance();
        await eachFixture((fixture) => fixture.crawl());
      }
      expect(await eachFixture(stateOf)).toEqual(before);
      expect(await context.database.listLayoutIncidents()).toMatchObject([
        { store, source: "public", acceptedAt: null },
      ]);
      for (const fixture of fixtures)
        expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown" });
      for (const { harness } of fixtures) harness.simulator.faultFlags.disable();
      advance();
      await eachFixture((fixture) => fixture.crawl());
      expect(await context.database.listLayoutIncidents()).toEqual([]);
      for (const [index, fixture] of fixtures.entries()) {
        const [stored, events] = await stateOf(fixture);
        const [known = [], announced = []] = before[index] ?? [];
        expect(stored).toHaveLength(known.length + 3);
        const added = events.slice(announced.length).map(({ storeReviewId }) => storeReviewId);
        expect(added.sort()).toEqual(created[index]?.sort());
      }
    },
  );
});

test("an app that is added meanwhile waits, and its feed has some of its reviews as unconfirmed", async () => {
  await openTwo("googleplay");
  for (const { harness } of fixtures) harness.simulator.faultFlags.enable({ fault: "clock_step" });
  await eachFixture((fixture) => fixture.crawl());
  const [beside] = fixtures;
  if (!beside) throw new Error("there is no fixture");
  const added = await openCrawlFixture(context, { store: "googleplay", beside });
  fixtures.push(added);
  added.writeReviews(7, { text: "The chart is empty" });
  await added.crawl();
  expect(await stateOf(added)).toEqual([[], []]);
  const { lastError, quarantinedPage } = await added.findFeed();
  expect(lastError).toContain("held back until they pass");
  expect(quarantinedPage?.unconfirmed.count).toBe(7);
  expect(quarantinedPage?.unconfirmed.examples).toHaveLength(3);
  expect(quarantinedPage?.unconfirmed.examples[0]?.text).toBe("The chart is empty");
  for (const { harness } of fixtures) harness.simulator.faultFlags.disable();
  // A day without an odd page, and the source is trusted again.
  beside.harness.clock.advance(25 * hourMs);
  await eachFixture((fixture) => fixture.crawl());
  expect(await added.storedReviews()).toHaveLength(7);
  expect((await added.findFeed()).quarantinedPage).toBeNull();
});

test("status and alerts report an incident, and an operator accepts it", async () => {
  await openTwo("googleplay");
  for (const { harness } of fixtures) harness.simulator.faultFlags.enable({ fault: "clock_step" });
  await eachFixture((fixture) => fixture.crawl());
  const [incident] = await context.database.listLayoutIncidents();
  if (incident?.kind !== "dates_shifted") throw new Error("there is no incident");
  const { checks, isHealthy } = await readStatus({
    ...context,
    pace: { requestsPerSecond: 1, intervalMinutes: 60 },
  });
  expect(isHealthy).toBe(false);
  expect(checks.filter(({ check }) => check.endsWith("layout"))).toMatchObject([
    {
      check: `${storeTraits.googleplay.name} layout`,
      state: "failed",
      detail: expect.stringContaining("starpost incident accept googleplay/public/dates_shifted"),
    },
  ]);
  const [fixture] = fixtures;
  if (!fixture) throw new Error("there is no fixture");
  const alerts = await findFailingStorefronts(context, fixture.channel);
  expect(alerts.flatMap(({ items }) => items.map(({ text }) => text))).toEqual([
    expect.stringContaining("Google Play may have changed its layout"),
  ]);
  const deps = { ...context, actor: "operator" };
  await acceptIncident(deps, incident);
  const before = await fixture.storedReviews();
  await fixture.crawl();
  const after = await fixture.storedReviews();
  const dateOf = new Map(before.map(({ id, date }) => [id, date.getTime()]));
  expect(after.some(({ id, date }) => date.getTime() !== dateOf.get(id))).toBe(true);
  await rejectIncident(deps, incident);
  await expect(rejectIncident(deps, incident)).rejects.toMatchObject({ code: "not_found" });
});
