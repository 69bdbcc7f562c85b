// How often a list is read, from its latest reviews.
import { describe, expect, test } from "vitest";
import { dayMs, hourMs } from "../../lib/timestamp.ts";
import {
  addToLatest,
  fullCrawlWaitMs,
  intervalByNews,
  intervalOfEmptyFeed,
} from "./feed-interval.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const crowded = { intervalMinutes: 60, intervalMinutesMax: 7 * 1_440 };
const roomy = { intervalMinutes: 60, intervalMinutesMax: 60 };

describe("where lists have to make room", () => {
  test.each([
    ["with news every quarter of an hour", [hourMs / 4, hourMs / 2, hourMs], 60],
    ["with three reviews in half a day", [hourMs, 2 * hourMs, 12 * hourMs], 60],
    ["with a review a day", [dayMs, 2 * dayMs, 3 * dayMs], 6 * 60],
    ["with a burst after a quiet year", [60_000, 120_000, 180_000], 60],
    ["with one new review after a quiet month", [hourMs, 30 * dayMs, 60 * dayMs], 5 * 1_440],
    ["without news for a year", [365 * dayMs, 366 * dayMs, 367 * dayMs], 7 * 1_440],
    ["with one review, of this week", [4 * dayMs], 1_440],
    ["without a review that has a date", [], 7 * 1_440],
  ])("a list %s is read by its own pace", (_, ages, minutes) => {
    expect(intervalByNews({ latest: ages.map(ago), now }, crowded)).toBe(minutes);
    expect(intervalByNews({ latest: ages.map(ago), now }, roomy)).toBe(60);
  });

  test("a list that stays empty is read every few days, and else every day", () => {
    expect(intervalOfEmptyFeed(3 * 1_440, crowded)).toBe(6 * 1_440);
    expect(intervalOfEmptyFeed(3 * 1_440, roomy)).toBe(1_440);
    expect(intervalOfEmptyFeed(10, roomy)).toBe(60);
  });

  test("full crawls come once in seven crawls, and else once a day", () => {
    expect(fullCrawlWaitMs(60, crowded)).toBe(dayMs);
    expect(fullCrawlWaitMs(2 * 60, crowded)).toBe(dayMs);
    expect(fullCrawlWaitMs(12 * 60, crowded)).toBe(3.5 * dayMs);
    expect(fullCrawlWaitMs(7 * 1_440, crowded)).toBe(28 * dayMs);
    // An operator who reads everything every two days.
    expect(fullCrawlWaitMs(2_880, { intervalMinutes: 2_880, intervalMinutesMax: 2_880 })).toBe(
      dayMs,
    );
  });
});

test("the latest three dates are kept, in whatever order they come", () => {
  const dates = [3, 1, 2, 5, 4].map((days) => ago(days * dayMs));
  const latest = dates.reduce<Date[]>((kept, date) => addToLatest(kept, date), []);
  expect(latest).toEqual([1, 2, 3].map((days) => ago(days * dayMs)));
});
