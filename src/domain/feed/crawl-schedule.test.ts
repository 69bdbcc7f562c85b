import { describe, expect, test } from "vitest";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { scheduleRatings, scheduleReviews } from "./crawl-schedule.ts";

const now = new Date("2026-03-10T22:00:00Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);
const good = { now, isDone: true, retryAfterMs: null, random: 0.5 };
const failed = { ...good, isDone: false };
const feed = (failureCount: number, plannedDueAt: Date | null = null) => ({
  feed: { failureCount, plannedDueAt },
});

describe("reviews", () => {
  const crawl = { intervalMinutes: 60, hasProgressed: false };

  test.each([
    ["come due after the interval", { ...good, ...feed(5) }, hourMs, 0],
    ["are spread by a tenth either way", { ...good, ...feed(0), random: 0 }, 0.9 * hourMs, 0],
    ["wait twice as long with each failure", { ...failed, ...feed(1) }, 4 * hourMs, 2],
    ["wait a day at most", { ...failed, ...feed(30) }, 24 * hourMs, 31],
    [
      "wait at least as long as the store demands",
      { ...good, ...feed(0), retryAfterMs: 2 * hourMs },
      2 * hourMs,
      0,
    ],
    [
      "wait the interval after a crawl that came further",
      { ...failed, ...feed(6), hasProgressed: true },
      hourMs,
      0,
    ],
    [
      "stay planned when a user's crawl fails",
      { ...failed, ...feed(3, later(12 * minuteMs)) },
      12 * minuteMs,
      3,
    ],
    [
      "wait longer than planned where the store demands it of a user's crawl",
      { ...failed, ...feed(3, later(12 * minuteMs)), retryAfterMs: hourMs },
      hourMs,
      3,
    ],
    [
      "come due after the interval when a user's crawl succeeds",
      { ...good, ...feed(3, later(12 * minuteMs)) },
      hourMs,
      0,
    ],
  ])("%s", (_, ended, waitMs, failureCount) => {
    const next = scheduleReviews({ ...crawl, ...ended });
    expect(next).toEqual({ nextDueAt: later(waitMs), failureCount });
  });
});

describe("ratings", () => {
  test("come due in the first hours of the next UTC day", () => {
    const early = scheduleRatings({ ...good, ...feed(0), random: 0 });
    expect(early.nextDueAt).toEqual(new Date("2026-03-11T00:00:00Z"));
    const late = scheduleRatings({ ...good, ...feed(0), random: 0.999 });
    expect(late.nextDueAt.getTime()).toBeLessThan(Date.parse("2026-03-11T03:00:00Z"));
  });

  test.each([
    ["are read again soon when they were not accepted", feed(0), 15 * minuteMs, 1],
    ["wait twice as long with each failure", feed(2), hourMs, 3],
    ["stay planned when a user's crawl fails", feed(5, later(7 * minuteMs)), 7 * minuteMs, 5],
  ])("%s", (_, ended, waitMs, failureCount) => {
    const next = scheduleRatings({ ...failed, ...ended });
    expect(next).toEqual({ nextDueAt: later(waitMs), failureCount });
  });
});
