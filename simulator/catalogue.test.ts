// Generated stores of any size: the same for the same seed, in the order of the stores, at a cost that does
// not grow with their size.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultCountries } from "../src/domain/feed/listing.ts";
import { dayMs, hourMs } from "../src/lib/timestamp.ts";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../test/support/store-harness.ts";
import { Catalogue } from "./catalogue.ts";
import { createFeedSlots } from "./feed-slots.ts";
import { startSimulation } from "./simulate.ts";

const openedAt = new Date("2026-11-21T12:00:00Z");
const appstore = { store: "appstore", externalAppId: "2000000001" } as const;
const googleplay = { store: "googleplay", externalAppId: "app.sample.a1" } as const;

describe("feed slots", () => {
  test.each([1, 3, 10])(
    "positions and slots agree with a plain count, for %i regions",
    (regionCount) => {
      const feedSlots = createFeedSlots(regionCount);
      for (let slotCount = 0; slotCount < 160 * regionCount; slotCount += 7) {
        const slots = Array.from({ length: slotCount }, (_, slot) => slot);
        const edited = new Set(
          slots.filter((slot) => feedSlots.originalSlot(slot) !== slot).map(feedSlots.originalSlot),
        );
        const shown = slots.filter((slot) => !edited.has(slot));
        expect(feedSlots.countOf(slotCount)).toBe(shown.length);
        expect(shown.map((_, position) => feedSlots.slotAt(position, slotCount))).toEqual(shown);
      }
    },
  );
});

describe("catalogue", () => {
  test("the requested number of reviews, newest first, none twice, the regions mixed", () => {
    const catalogue = new Catalogue({ appCount: 1, reviewCount: 1_000, seed: 3, openedAt });
    const list = catalogue.reviews(appstore, { region: "all", now: openedAt });
    const reviews = list.slice(0, 2_000);
    expect(list.length).toBe(1_000);
    expect(reviews.length).toBe(1_000);
    expect(new Set(reviews.map(({ storeReviewId }) => storeReviewId)).size).toBe(1_000);
    const dates = reviews.map(({ date }) => date.getTime());
    expect(dates).toEqual(dates.toSorted((one, other) => other - one));
    expect(new Set(reviews.map(({ region }) => region))).toEqual(new Set(defaultCountries));
  });

  test("the feed of a region has that region's share of all", () => {
    const catalogue = new Catalogue({ appCount: 1, reviewCount: 2_000, seed: 3, openedAt });
    const now = new Date(openedAt.getTime() + 9 * dayMs);
    const all = catalogue.reviews(appstore, { region: "all", now }).slice(0, 9_999);
    for (const region of ["us", "br"]) {
      const part = catalogue.reviews(appstore, { region, now });
      expect(part.slice(0, 9_999)).toEqual(all.filter((review) => review.region === region));
    }
  });

  test("the same seed gives the same reviews, another one others", () => {
    const firstOf = (seed: number) =>
      new Catalogue({ appCount: 2, reviewCount: 500, seed, openedAt })
        .reviews(googleplay, { region: "en", now: openedAt })
        .slice(3, 5);
    expect(firstOf(1)).toEqual(firstOf(1));
    expect(firstOf(1)).not.toEqual(firstOf(2));
  });

  test("new reviews appear with time, and edits move a review to the top with its id", () => {
    const catalogue = new Catalogue({ appCount: 1, reviewCount: 7_300, seed: 3, openedAt });
    const before = catalogue.reviews(appstore, { region: "us", now: openedAt }).slice(0, 100);
    const now = new Date(openedAt.getTime() + 60 * dayMs);
    const after = catalogue.reviews(appstore, { region: "us", now }).slice(0, 100);
    const known = new Map(before.map((review) => [review.storeReviewId, review]));
    const moved = after.filter(({ storeReviewId, date }) => {
      const earlier = known.get(storeReviewId);
      return earlier && earlier.date < date;
    });
    expect(after.filter(({ storeReviewId }) => !known.has(storeReviewId)).length).toBeGreaterThan(
      40,
    );
    expect(moved.length).toBeGreaterThan(0);
    for (const review of moved) {
      expect(review.rating).not.toBe(known.get(review.storeReviewId)?.rating);
    }
  });

  test("any page of a million reviews is generated alone", () => {
    const catalogue = new Catalogue({
      appCount: 10_000,
      reviewCount: 1_000_000,
      seed: 1,
      openedAt,
    });
    const key = { ...googleplay, externalAppId: "app.sample.a9999" };
    const list = catalogue.reviews(key, { region: "all", now: openedAt });
    const before = process.memoryUsage().heapUsed;
    const [deep] = list.slice(900_000, 50);
    expect(list.length).toBe(1_000_000);
    expect(deep && list.countBefore({ ...deep, dateMs: deep.date.getTime() })).toBe(900_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
    expect(catalogue.find({ ...key, externalAppId: "app.sample.a10001" })).toBeNull();
  });
});

describe("over HTTP", () => {
  let harness: StoreHarness;
  beforeEach(async () => {
    harness = await openStoreHarness({
      catalogue: { appCount: 10_000, reviewCount: 6_000, seed: 5 },
    });
  });
  afterEach(() => harness.close());

  test("both stores' clients crawl a generated app", async () => {
    const us = await crawlReviews(harness.apple, { externalAppId: "2000000007", region: "us" });
    expect([us.length, idsOf(us).length, us.at(-1)?.capped]).toEqual([10, 500, true]);
    const german = await crawlReviews(harness.google, {
      externalAppId: "app.sample.a7",
      region: "de",
    });
    expect(german.length).toBe(4);
    expect(idsOf(german).length).toBe(
      harness.storeState.reviewList({ ...googleplay, externalAppId: "app.sample.a7" }, "de").length,
    );
    expect(new Set(idsOf(german)).size).toBe(idsOf(german).length);
  });

  test("a crawl that takes hours misses no review that was there at its start", async () => {
    const app = { externalAppId: "app.sample.a1", region: "en" };
    const start = harness.storeState.reviewList(googleplay, "en");
    const expected = start.slice(0, 9_999).map(({ storeReviewId }) => storeReviewId);
    const seen = new Set<string>();
    let cursor: string | null = null;
    do {
      const page = await harness.google.fetchReviews({ ...app, cursor });
      for (const id of idsOf([page])) seen.add(id);
      cursor = page.next;
      harness.clock.advance(6 * hourMs);
    } while (cursor !== null);
    // An edited review moves to the top, behind the crawl; the next crawl reads it there.
    const moved = new Set(
      harness.storeState
        .reviewList(googleplay, "en")
        .slice(0, 40)
        .map(({ storeReviewId }) => storeReviewId),
    );
    expect(expected.filter((id) => !seen.has(id) && !moved.has(id))).toEqual([]);
  });

  test("a simulation reports its URL and the settings for a service", async () => {
    const simulation = await startSimulation({ port: 0, apps: 3, reviews: 10, seed: 1 });
    try {
      expect(simulation.settings["ITUNES_BASE_URL"]).toBe(simulation.url);
      const response = await fetch(
        `${simulation.url}/lookup?id=${simulation.apps.appstore}&country=us`,
      );
      expect(await response.text()).toContain('"trackName": "Sample 1"');
    } finally {
      await simulation.close();
    }
  });
});
