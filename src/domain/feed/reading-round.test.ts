// How long a round takes, and when that is said.
import { expect, test } from "vitest";
import { estimateRound, isCrowded } from "./reading-round.ts";

const pace = { requestsPerSecond: 1, intervalMinutes: 60 };

test("a few apps are read within the interval, and nothing is said", () => {
  const load = { store: "appstore" as const, feedCount: 100, dailyRequestCount: 300 };
  expect(estimateRound(load, pace)).toEqual({ intervalMinutes: 60, roundMinutes: 60, note: null });
});

test("500 apps in 10 storefronts take longer, with their full crawls and ratings", () => {
  const load = { store: "appstore" as const, feedCount: 5_000, dailyRequestCount: 15_000 };
  const { roundMinutes, note } = estimateRound(load, pace);
  // 5,000 requests of the 0.909 a second that are made, less the 0.174 for what is read once a day.
  expect(roundMinutes).toBe(Math.ceil(5_000 / (1 / 1.1 - 15_000 / 86_400) / 60));
  expect(note).toBe(
    "App Store: reading the 5000 storefronts of all apps once takes about 1 h 54 min at 1 request a second, more than the interval of 60 minutes",
  );
});

test("where the daily work alone takes all requests, no round ends within a day", () => {
  const load = { store: "googleplay" as const, feedCount: 5_000, dailyRequestCount: 90_000 };
  const round = estimateRound(load, pace);
  expect(round.roundMinutes).toBeNull();
  expect(round.note).toContain("more than a day");
});

test("a store is crowded where its lists can't be read within the interval, whichever make room by now", () => {
  const load = { store: "appstore" as const, feedCount: 5, dailyRequestCount: 0 };
  const whole = { wholeFeedCount: 2_600, wholeDailyRequestCount: 15_000 };
  // 78,545 requests a day, and 62,400 for the lists.
  expect(isCrowded({ ...load, ...whole }, pace)).toBe(false);
  expect(isCrowded({ ...load, ...whole, wholeDailyRequestCount: 17_000 }, pace)).toBe(true);
  expect(isCrowded({ ...load, ...whole, wholeFeedCount: 2_700 }, pace)).toBe(true);
});
