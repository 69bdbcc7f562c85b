// What can't be believed at first sight: a first look that sees nothing, a list that leads in a circle, a
// storefront that loses an app, ratings of a wrong day.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Histogram } from "../src/domain/snapshot.ts";
import { dayMs, dayOf, hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { type CollectScene, openCollectScene } from "./support/collect-scene.ts";
import { openWorld, type World } from "./support/world.ts";

let world: World;
let scene: CollectScene;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(() => scene.close());

test("a block at the first look is no app without reviews", async () => {
  scene = await openCollectScene(world, { store: "appstore" });
  const countries = { region: "us", histogram: [10, 10, 10, 10, 60] as const };
  scene.rig.world.setRatings(scene.key, countries);
  // Young enough to be news, had they been missed by a look that counted.
  const old = scene.write(20, { gapMs: hourMs });
  scene.rig.simulator.switches.on({ fault: "network_block" });
  scene.rig.simulator.switches.on({ fault: "no_fallbacks" });
  await scene.collect();
  expect(await scene.feed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  scene.rig.simulator.switches.off();
  await scene.collect();
  expect(await scene.kept()).toHaveLength(old.length);
  expect(await scene.told()).toEqual([]);
});

test("a call for reviews that is shut out at the first look is no app without reviews", async () => {
  scene = await openCollectScene(world, { store: "googleplay" });
  scene.rig.world.setRatings(scene.key, { region: "us", histogram: [1, 2, 3, 4, 10] });
  const old = scene.write(20, { gapMs: hourMs });
  scene.rig.simulator.switches.on({ fault: "null_payload", when: { kind: "play-reviews" } });
  await scene.collect();
  expect(await scene.feed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  scene.rig.simulator.switches.off();
  await scene.collect();
  expect(await scene.kept()).toHaveLength(old.length);
  expect(await scene.told()).toEqual([]);
});

test.each(["appstore", "googleplay"] as const)(
  "%s: of an app without reviews the first one is told",
  async (store) => {
    scene = await openCollectScene(world, { store });
    await scene.collect();
    expect(await scene.feed()).toMatchObject({ outcome: "empty" });
    const [first = ""] = scene.write(1);
    await scene.collect();
    expect(await scene.told()).toMatchObject([{ event: "review.created", storeReviewId: first }]);
  },
);

test("a list that leads in a circle ends, is called truncated, and is walked whole once it does not", async () => {
  scene = await openCollectScene(world, { store: "googleplay" });
  const old = scene.write(500, { gapMs: hourMs });
  scene.rig.simulator.switches.on({ fault: "token_cycle" });
  await scene.collect();
  expect(await scene.feed()).toMatchObject({ outcome: "ok", truncated: true });
  expect(await scene.kept()).not.toHaveLength(old.length);
  scene.rig.simulator.switches.off();
  const created = scene.write(160);
  scene.rig.simulator.switches.on({ fault: "token_cycle" });
  await scene.collect();
  scene.rig.simulator.switches.off();
  scene.rig.clock.advance(dayMs + 4 * hourMs);
  await scene.collect();
  expect(await scene.kept()).toHaveLength(old.length + created.length);
  const told = (await scene.told()).map(({ storeReviewId }) => storeReviewId);
  expect(told.sort()).toEqual(created.sort());
});

test("an app that a storefront stops selling keeps its reviews, and is taken up again when it returns", async () => {
  scene = await openCollectScene(world, { store: "appstore", countries: ["us", "gb"] });
  const { rig, key } = scene;
  scene.write(60, { gapMs: hourMs });
  scene.write(30, { gapMs: hourMs, region: "gb" });
  await scene.collect();
  rig.clock.advance(hourMs);
  rig.world.withdrawApp(key, "us");
  const british = scene.write(2, { region: "gb" });
  await scene.collect();
  expect(await scene.feed()).toMatchObject({
    outcome: "unknown",
    lastError: expect.stringContaining("withdrawn"),
  });
  expect(await scene.kept()).toHaveLength(92);
  rig.world.restoreApp(key, "us");
  const american = scene.write(2);
  rig.clock.advance(hourMs);
  await scene.collect();
  const told = (await scene.told()).map(({ storeReviewId }) => storeReviewId);
  expect(told.sort()).toEqual([...british, ...american].sort());
});

describe("ratings", () => {
  const right: Histogram = [100, 100, 100, 200, 500];

  /** A scene whose app has been rated like this for days. */
  async function aRatedScene(): Promise<CollectScene> {
    const rated = await openCollectScene(world, { store: "appstore" });
    rated.write(1, { gapMs: hourMs });
    rated.rig.world.setRatings(rated.key, { region: "us", histogram: right });
    for (let day = 0; day < 3; day += 1) {
      await rated.collect();
      rated.rig.clock.advance(dayMs);
    }
    return rated;
  }

  async function days(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let day = dayOf(scene.rig.clock.now()), left = 8; left > 0; left -= 1) {
      const asOf = { listingId: scene.listing.id, day, withHistogram: false };
      const [snapshot] = await world.database.listSnapshotsAsOf(asOf);
      if (!snapshot) break;
      found.set(snapshot.day, snapshot.total);
      day = dayOf(new Date(Date.parse(snapshot.day) - dayMs));
    }
    return found;
  }

  test.each<[string, Histogram]>([
    ["no ratings at all", [0, 0, 0, 0, 0]],
    ["a tenth of them", [90, 5, 3, 1, 1]],
  ])("%s are not believed at once, and a drop is not told of them", async (_, wrong) => {
    scene = await aRatedScene();
    const { rig, key } = scene;
    const before = await days();
    rig.world.setRatings(key, { region: "us", histogram: wrong });
    await scene.collect();
    expect(await scene.feed("ratings")).toMatchObject({
      outcome: "unknown",
      heldReading: { total: wrong.reduce((sum, count) => sum + count, 0) },
    });
    rig.clock.advance(15 * minuteMs);
    rig.world.setRatings(key, { region: "us", histogram: right });
    await scene.collect();
    expect(await scene.feed("ratings")).toMatchObject({ outcome: "ok", heldReading: null });
    expect([...(await days()).values()]).toEqual(Array(before.size + 1).fill(1_000));
    expect(await scene.told()).toEqual([]);
  });

  test("a fall that is read again the same way is believed, and told once", async () => {
    scene = await aRatedScene();
    const { rig, key } = scene;
    rig.world.setRatings(key, { region: "us", histogram: [300, 50, 20, 10, 20] });
    await scene.collect();
    expect(await scene.told()).toEqual([]);
    rig.clock.advance(15 * minuteMs);
    await scene.collect();
    await scene.collect();
    expect((await scene.told()).map(({ event }) => event)).toEqual(["review.rating_drop"]);
  });

  test("there is one snapshot a day, also around midnight", async () => {
    scene = await aRatedScene();
    const { rig } = scene;
    rig.clock.set(new Date("2026-12-01T23:59:40Z"));
    await scene.collect();
    await scene.collect();
    rig.clock.set(new Date("2026-12-02T00:00:10Z"));
    await scene.collect();
    expect([...(await days()).keys()].slice(0, 2)).toEqual(["2026-12-02", "2026-12-01"]);
  });

  test("a histogram in the wrong order is not taken for the stars", async () => {
    scene = await aRatedScene();
    scene.rig.simulator.switches.on({ fault: "reversed_histogram" });
    await scene.collect();
    const [newest] = await world.database.listSnapshotsAsOf({
      listingId: scene.listing.id,
      day: null,
      withHistogram: true,
    });
    expect(newest?.histogram).toEqual(right);
    expect(await scene.told()).toEqual([]);
  });
});
