import { describe, expect, test } from "vitest";
import { hourMs, minuteMs } from "../lib/timestamp.ts";
import { nextRatingsDueAt, nextReviewsDueAt } from "./crawl-schedule.ts";

const now = new Date("2026-03-10T22:00:00Z");

describe("reviews", () => {
  const next = { now, intervalMinutes: 60, failureCount: 0, retryAfterMs: null, random: 0.5 };

  test.each([
    ["come due after the interval", {}, hourMs],
    ["are spread by a tenth either way", { random: 0 }, 0.9 * hourMs],
    ["wait twice as long with each failure", { failureCount: 2 }, 4 * hourMs],
    ["wait a day at most", { failureCount: 30 }, 24 * hourMs],
    ["wait at least as long as the store demands", { retryAfterMs: 2 * hourMs }, 2 * hourMs],
  ])("%s", (_, change, waitMs) => {
    expect(nextReviewsDueAt({ ...next, ...change }).getTime() - now.getTime()).toBe(waitMs);
  });
});

describe("ratings", () => {
  const next = { now, isDone: true, failureCount: 0, retryAfterMs: null, random: 0 };

  test("come due in the first hours of the next UTC day", () => {
    expect(nextRatingsDueAt(next)).toEqual(new Date("2026-03-11T00:00:00Z"));
    const late = nextRatingsDueAt({ ...next, random: 0.999 });
    expect(late.getTime()).toBeLessThan(Date.parse("2026-03-11T03:00:00Z"));
  });

  test("are read again soon when they were not accepted", () => {
    const again = nextRatingsDueAt({ ...next, isDone: false });
    expect(again.getTime() - now.getTime()).toBe(15 * minuteMs);
  });
});
