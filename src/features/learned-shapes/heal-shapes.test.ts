// The way of a learned shape for the pages of apps, and the three modes.
import { expect, test } from "vitest";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { appPages, type Json } from "../../../test/support/moved-payloads.ts";
import type { HealMode, LearnedShape } from "../../domain/feed/learned-shape.ts";
import type { Snapshot } from "../../domain/review/snapshot.ts";
import { silentLog } from "../../lib/log.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { parseRatingsNode } from "../../stores/apple/product-page-ratings.ts";
import { parseDetailsPage } from "../../stores/google/details-page.ts";
import { ActiveShapes } from "../../stores/shapes/active-shapes.ts";
import {
  type KnownApp,
  type ShapedStore,
  shapesOfStores,
} from "../../stores/shapes/known-values.ts";
import { openHealer } from "./heal-shapes.ts";

const pages = appPages();

/** A block before the others, and the app's one level deeper. */
const redesign = (blocks: Json[]): Json[] => [["new"], blocks[0], [blocks[1]]];

function aHealer(mode: HealMode) {
  const rows = new Map<string, LearnedShape>();
  const shapes = new ActiveShapes();
  const clock = new MovableClock(new Date("2026-03-04T05:06:07Z"));
  const pageOf = (listingId: string) => pages[Number(listingId)];
  const healer = openHealer({
    ...{ clock, log: silentLog, mode, shapes },
    listLearnedShapes: async () => [...rows.values()],
    saveLearnedShape: async (learned) => rows.set(learned.name, learned) !== null,
    loadReviews: async () => [],
    readOddSince: async () => null,
    forgetOddFeeds: async () => {},
    findListingDetails: async (id) => {
      const app = pageOf(id)?.app;
      return app ? { name: app.name, iconUrl: app.iconUrl, facts: null } : null;
    },
    listSnapshotsAsOf: async ({ listingId, day }) => {
      const [one = 0, two = 0, three = 0, four = 0, five = 0] = pageOf(listingId)?.histogram ?? [];
      const total = one + two + three + four + five;
      const average = (one + 2 * two + 3 * three + 4 * four + 5 * five) / total;
      const snapshot: Snapshot = {
        ...{ listingId, region: "us", day: day ?? "", average, total: total - 3 },
        histogram: [one, two, three, four - 1, five - 2],
      };
      return [snapshot];
    },
  });
  const healRatings = async (
    feed: { id: string; store: ShapedStore; externalAppId: string; app?: KnownApp },
    payload: Json,
  ) => {
    const { app, ...listing } = feed;
    const name = shapesOfStores[listing.store].ratings;
    shapes.notePayload(name, { ...listing, region: "us" }, payload);
    const known = app ? { app } : {};
    await healer.heal({ listing, region: "us", kind: "ratings", isInOrder: false, ...known });
    return rows.get(name)?.state ?? null;
  };
  /** A crawl of the ratings of one app that shows these blocks and can't be read. */
  const fail = (index: number, move: (blocks: Json[]) => Json[]) => {
    const page = pages[index];
    if (!page) throw new Error("there are three apps");
    const { externalAppId } = page.app;
    const listing = { id: String(index), store: "googleplay" as const, externalAppId };
    return healRatings(listing, move(page.blocks));
  };
  /** A crawl of the ratings of one app that shows the blocks of the release. */
  const pass = async (index: number) => {
    const page = pages[index];
    if (!page) throw new Error("there are three apps");
    const { externalAppId } = page.app;
    const listing = { id: String(index), store: "googleplay" as const, externalAppId };
    shapes.notePayload("google-app", { externalAppId, region: "us" }, page.blocks);
    await healer.heal({ listing, region: "us", kind: "ratings", isInOrder: true });
    return rows.get("google-app")?.state ?? null;
  };
  return { clock, fail, healRatings, pass, shapes };
}

test("pages of three apps that moved are learned, tried twice, read, and withdrawn at a contradiction", async () => {
  const { fail, shapes } = aHealer("on");
  expect(await fail(0, redesign)).toBeNull();
  expect(await fail(1, redesign)).toBeNull();
  expect(await fail(2, redesign)).toBe("shadow");
  expect(await fail(0, redesign)).toBe("shadow");
  expect(await fail(1, redesign)).toBe("used");
  for (const { app, histogram, blocks } of pages) {
    const html = redesign(blocks)
      .map(
        (block, index) =>
          `<script>AF_initDataCallback({key: 'ds:${index}', data:${JSON.stringify(block)}, sideChannel: {}});</script>`,
      )
      .join("");
    const shape = shapes.find("google-app");
    expect(parseDetailsPage(html, app.externalAppId)).toBeNull();
    expect(parseDetailsPage(html, app.externalAppId, shape)).toMatchObject({
      name: app.name,
      ratings: { total: histogram.reduce((sum, count) => sum + count, 0), histogram },
    });
  }
  const other = pages[1]?.blocks ?? [];
  expect(await fail(0, () => redesign(other))).toBe("used");
  expect(await fail(2, () => redesign(other))).toBe("withdrawn");
});

test.each<[HealMode, string | null]>([
  ["propose", "proposed"],
  ["off", null],
])("with %s a learned shape is %s", async (mode, state) => {
  const { fail, shapes } = aHealer(mode);
  const release = shapes.find("google-app");
  for (const index of [0, 1, 2, 0]) await fail(index, redesign);
  expect(await fail(1, redesign)).toBe(state);
  expect(shapes.find("google-app")).toBe(release);
});

test("a shape that is tried is withdrawn when the store shows its former pages for a day", async () => {
  const { clock, fail, pass } = aHealer("on");
  for (const index of [0, 1, 2]) await fail(index, redesign);
  expect(await pass(0)).toBe("shadow");
  clock.advance(25 * hourMs);
  // One app alone can't contradict it.
  expect(await pass(0)).toBe("withdrawn");
});

test("pages in order teach nothing", async () => {
  const { fail } = aHealer("on");
  for (const index of [0, 1, 2, 0, 1, 2]) expect(await fail(index, (blocks) => blocks)).toBeNull();
});

test("the well-known app of the daily check is one more to learn from", async () => {
  const { fail, healRatings } = aHealer("on");
  const [, , third] = pages;
  if (!third) throw new Error("there are three apps");
  const { externalAppId, name, iconUrl } = third.app;
  const [one, two, three, four, five] = third.histogram;
  const total = one + two + three + four + five;
  const average = (one + 2 * two + 3 * three + 4 * four + 5 * five) / total;
  const ratings = { average, total, histogram: third.histogram };
  const app = { externalAppId, name, iconUrl, ratings };
  expect(await fail(0, redesign)).toBeNull();
  expect(await fail(1, redesign)).toBeNull();
  const check = { id: "well-known app", store: "googleplay" as const, externalAppId, app };
  expect(await healRatings(check, redesign(third.blocks))).toBe("shadow");
});

test("ratings on the App Store's pages are learned like those of Google Play", async () => {
  const { healRatings, shapes } = aHealer("on");
  const nodes = pages.map(({ histogram }, index) => {
    const total = histogram.reduce((sum, count) => sum + count, 0);
    const sum = histogram.reduce((stars, count, at) => stars + count * (at + 1), 0);
    const average = Math.round((10 * sum) / total) / 10;
    return { productId: String(index), score: { average, counts: histogram.toReversed(), total } };
  });
  const crawl = (index: number) =>
    healRatings({ id: String(index), store: "appstore", externalAppId: String(index) }, [
      nodes[index],
    ]);
  expect(await crawl(0)).toBeNull();
  expect(await crawl(1)).toBeNull();
  expect(await crawl(2)).toBe("shadow");
  expect(await crawl(0)).toBe("shadow");
  expect(await crawl(1)).toBe("used");
  for (const [index, { histogram }] of pages.entries()) {
    expect(parseRatingsNode(nodes[index])).toBeNull();
    expect(parseRatingsNode(nodes[index], shapes.find("apple-ratings"))).toMatchObject({
      histogram,
    });
  }
});
