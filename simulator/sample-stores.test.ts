// The sample stores: the same every time, growing when the clock moves, and consistent in their numbers.
import { beforeAll, describe, expect, test } from "vitest";
import { defaultCountries, defaultLanguages } from "../src/domain/feed/listing.ts";
import { dayMs } from "../src/lib/timestamp.ts";
import { MovableClock } from "../test/support/movable-clock.ts";
import { phraseBookOf } from "./phrase-books.ts";
import {
  createSampleStores,
  ratingDays,
  type SampleStores,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "./sample-stores.ts";

const start = new Date("2026-11-21T12:00:00Z");
let clock: MovableClock;
let sample: SampleStores;
beforeAll(() => {
  clock = new MovableClock(start);
  sample = createSampleStores({ clock });
});

describe("sample stores", () => {
  test("the same seed gives the same reviews", () => {
    const other = createSampleStores({ clock: new MovableClock(start) });
    const of = (storeState: SampleStores) =>
      storeState.storeState.reviewsNow(sampleAppStoreApp, "jp");
    expect(of(other)).toEqual(of(sample));
  });

  test("every default region has reviews over two years", () => {
    for (const [app, regions] of [
      [sampleAppStoreApp, defaultCountries],
      [sampleGooglePlayApp, defaultLanguages],
    ] as const) {
      for (const region of regions) {
        const reviews = sample.storeState.reviewsNow(app, region);
        const span = (reviews[0]?.date.getTime() ?? 0) - (reviews.at(-1)?.date.getTime() ?? 0);
        expect(span, region).toBeGreaterThan(600 * dayMs);
      }
    }
  });

  test("no slot of a template stays unfilled, and no text is missing", () => {
    const reviews = defaultLanguages.flatMap((region) =>
      sample.storeState.reviewsNow(sampleGooglePlayApp, region),
    );
    expect(reviews.filter(({ text }) => text === "" || /[{}]|undefined/.test(text))).toEqual([]);
  });

  test("the bad release gets one star where others get five", () => {
    const bad = sample.releases.appstore.find((release) => release.isBad);
    const ratings = sample.storeState
      .reviewsNow(sampleAppStoreApp, "us")
      .filter((review) => review.version === bad?.version)
      .map((review) => review.rating);
    expect(ratings.length).toBeGreaterThan(20);
    expect(ratings.filter((rating) => rating === 1).length / ratings.length).toBeGreaterThan(0.5);
  });

  test("no two reviews in a row say the same of the battery, in any language", () => {
    const story = createSampleStores({ clock, isStory: true });
    // Pages show the reviews of both stores in one list, and those of each in another one.
    const apps = [
      [sampleAppStoreApp],
      [sampleGooglePlayApp],
      [sampleAppStoreApp, sampleGooglePlayApp],
    ];
    for (const shown of apps) {
      const reviews = shown
        .flatMap((app) => story.storeState.reviewsNow(app, "all"))
        .toSorted((one, other) => other.date.getTime() - one.date.getTime());
      for (const kind of ["drained", "fixed"] as const) {
        const indexes = reviews.flatMap(({ text, version, region }) => {
          const sentences = phraseBookOf(region)[kind].map(([, words]) => words);
          const index = sentences.findIndex((one) => one.replaceAll("{version}", version) === text);
          return index === -1 ? [] : [index];
        });
        expect(indexes.length).toBeGreaterThan(5);
        expect(indexes.filter((index, at) => index === indexes[at - 1])).toEqual([]);
      }
    }
  });

  test("the daily totals grow with the reviews and add up", () => {
    const days = ratingDays(sample.storeState, sampleAppStoreApp, {
      from: "2024-11-20",
      to: "2026-11-21",
    });
    expect(days.length).toBe(732);
    for (const { total, average, histogram } of days) {
      expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(histogram.every((count) => count >= 0)).toBe(true);
      expect(average).toBeGreaterThan(3);
    }
    const stars = Math.max(...days.map(({ average }) => average)) - (days.at(-1)?.average ?? 0);
    expect(stars).toBeGreaterThan(0.1);
  });

  test("moving the clock reveals reviews and edits, newest first", () => {
    const before = sample.storeState.reviewsNow(sampleGooglePlayApp, "en");
    clock.advance(20 * dayMs);
    const after = sample.storeState.reviewsNow(sampleGooglePlayApp, "en");
    clock.set(start);
    expect(after.length).toBeGreaterThan(before.length);
    const dates = after.map((review) => review.date.getTime());
    expect(dates).toEqual(dates.toSorted((one, other) => other - one));
  });
});
