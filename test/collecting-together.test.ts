// What happens to an app beside a pass over it: another language that shows the same reviews, the same
// words told in another way, an app that is removed and added again while it is read.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startCollector } from "../src/crawling/crawl-worker.ts";
import type { Ingest } from "../src/ingest/ingest-batch.ts";
import { openIngest } from "../src/ingest/ingest-reviews.ts";
import { systemDelay } from "../src/lib/delay.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { unknown } from "../src/stores/response-check.ts";
import type { Store } from "../src/stores/store.ts";
import { removeApp } from "../src/use-cases/apps/apps.ts";
import { type CollectScene, openCollectScene } from "./support/collect-scene.ts";
import { anApp, openWorld, type World } from "./support/world.ts";

let world: World;
let scene: CollectScene;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(() => scene.close());

/** From now on the store answers with this in place of its own word. */
async function answerWith(fetchReviews: Store["fetchReviews"]): Promise<void> {
  const store = await scene.room.openStore(scene.listing, "reviews");
  scene.room.openStore = async () => ({ ...store, fetchReviews });
}

const ids = async () => (await scene.told()).map(({ storeReviewId }) => storeReviewId);

test("a review that a new language shows first is told all the same, and once", async () => {
  scene = await openCollectScene(world, { store: "googleplay" });
  const { rig, listing } = scene;
  const old = scene.write(20, { gapMs: hourMs });
  await scene.collect();
  rig.clock.advance(hourMs);
  const created = scene.write(2);
  const regions = ["en", "de"];
  await world.database.setFeeds({
    ...{ listingId: listing.id, kind: "reviews", regions },
    now: rig.clock.now(),
  });
  // Both languages show the same reviews, and the first is away for a moment.
  const english = await scene.room.openStore(listing, "reviews");
  let isAway = true;
  await answerWith(async (asked) =>
    isAway && asked.region === "en"
      ? { ...unknown("away"), isFinal: true, next: null, truncated: false }
      : english.fetchReviews({ ...asked, region: "en" }),
  );
  await scene.collect();
  expect(await scene.feed("reviews", "de")).toMatchObject({ outcome: "ok" });
  expect((await ids()).sort()).toEqual([...created].sort());
  isAway = false;
  rig.clock.advance(hourMs);
  await scene.collect();
  expect((await ids()).sort()).toEqual([...created].sort());
  expect(await scene.kept()).toHaveLength(old.length + created.length);
});

test("words that another place tells in its own way are no edit", async () => {
  scene = await openCollectScene(world, { store: "appstore" });
  const { rig } = scene;
  scene.write(5, { gapMs: minuteMs });
  await scene.collect();
  rig.clock.advance(hourMs);
  const [first = ""] = scene.write(1);
  await scene.collect();
  rig.clock.advance(hourMs);
  const [late = ""] = scene.write(1);
  const own = await scene.room.openStore(scene.listing, "reviews");
  await answerWith(async (asked) => {
    const page = await own.fetchReviews(asked);
    const reviews = page.outcome === "ok" ? page.value.reviews : [];
    const salvaged = reviews.map((review) => ({ ...review, text: `${review.text} ` }));
    const undated = { ...salvaged[0], storeReviewId: "777", date: null };
    return {
      ...{ ...unknown("left out"), isFinal: true, next: null, truncated: false },
      salvaged: [...salvaged, undated as (typeof salvaged)[number]],
    };
  });
  await scene.collect();
  const event = "review.created";
  expect(await scene.told()).toEqual([
    { event, storeReviewId: first },
    { event, storeReviewId: late },
  ]);
  expect(await scene.kept()).toHaveLength(7);
});

test("a store whose reviews can't be read any more has not become one without reviews", async () => {
  scene = await openCollectScene(world, { store: "appstore" });
  const old = scene.write(5, { gapMs: minuteMs });
  const own = await scene.room.openStore(scene.listing, "reviews");
  let isOdd = true;
  await answerWith(async (asked) => {
    const page = await own.fetchReviews(asked);
    if (!isOdd || page.outcome !== "ok") return page;
    const { length: rejectedCount } = page.value.reviews;
    return { ...page, value: { ...page.value, reviews: [], rejectedCount } };
  });
  await scene.collect();
  expect(await scene.feed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  isOdd = false;
  await scene.collect();
  expect(await scene.feed()).toMatchObject({ outcome: "ok", lastError: null });
  expect(await scene.kept()).toHaveLength(old.length);
  expect(await scene.told()).toEqual([]);
});

test("a pass that fails for reasons of our own is told in the coverage and tried again later", async () => {
  const ingest: Ingest = async () => {
    throw new Error("a row that no table takes");
  };
  scene = await openCollectScene(world, { store: "googleplay", ingest });
  scene.write(3);
  const collector = startCollector({ ...scene.room, delay: systemDelay });
  while ((await scene.feed()).lastError === null) await new Promise(setImmediate);
  await collector.close();
  const { lastError, failureCount, nextDueAt, baselineAt } = await scene.feed();
  expect(lastError).toContain("on our side");
  expect({ failureCount, baselineAt }).toEqual({ failureCount: 1, baselineAt: null });
  expect(nextDueAt.getTime()).toBeGreaterThan(scene.rig.clock.now().getTime() + hourMs);
});

test("an app goes by the name of one storefront, whichever was read last", async () => {
  scene = await openCollectScene(world, { store: "appstore", countries: ["de", "jp", "us"] });
  for (const region of ["de", "us"]) {
    scene.rig.world.setRatings(scene.key, { region, histogram: [1, 2, 3, 4, 5] });
  }
  const store = await scene.room.openStore(scene.listing, "ratings");
  const asked: string[] = [];
  const fetchApp: Store["fetchApp"] = async ({ externalAppId, region }) => {
    asked.push(region);
    return { outcome: "ok", value: { externalAppId, name: `Tides in ${region}`, iconUrl: "" } };
  };
  scene.room.openStore = async () => ({ ...store, fetchApp });
  for (let day = 0; day < 3; day += 1) await scene.collect();
  expect(asked.at(-1)).toBe("us");
  expect(asked.slice(-2)).toEqual(["us", "us"]);
});

test("an app that is removed and added again in the middle of a pass begins anew, silently", async () => {
  const { clock, database } = world;
  let ingest: Ingest = async () => {
    throw new Error("not open yet");
  };
  scene = await openCollectScene(world, { store: "googleplay", ingest: (batch) => ingest(batch) });
  const { app, rig, key } = scene;
  const save = openIngest({ clock: rig.clock, database });
  scene.write(400, { gapMs: minuteMs });
  let pages = 0;
  ingest = async (batch) => {
    pages += 1;
    if (pages === 2)
      await removeApp({ clock, database, actor: "test" }, { id: app.id, workspaceId: null });
    return save(batch);
  };
  const { reports } = await scene.collect();
  expect(reports).toMatchObject([{ stopReason: "another worker took over" }]);
  expect(await database.findListing(scene.listing.id)).toBeNull();
  expect(await scene.kept()).toEqual([]);
  const again = await anApp(database, { workspaceId: app.workspaceId, ...key, isPrivate: true });
  expect(again.listingId).not.toBe(scene.listing.id);
  expect(await scene.told()).toEqual([]);
});
