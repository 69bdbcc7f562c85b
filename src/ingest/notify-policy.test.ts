// From when on a first pass over one language of an app meets news.
import { expect, test } from "vitest";
import type { Feed } from "../domain/feed.ts";
import { dayMs, hourMs, minuteMs } from "../lib/timestamp.ts";
import { newsSince } from "./notify-policy.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);

function aFeed(given: Partial<Feed>): Feed {
  return {
    ...{ listingId: "l", kind: "reviews", region: "en", outcome: "ok", nextDueAt: now },
    ...{ baselineAt: ago(dayMs), goodAt: ago(hourMs), watermark: ago(2 * hourMs) },
    ...{ checkedAt: now, failureCount: 0, lastError: null, pageCount: 1, reviewCount: 1 },
    ...{ rejectedCount: 0, truncated: false, stopReason: null, heldReading: null },
    ...{ sweptAt: null, sweepDueAt: null, progress: null },
    ...given,
  };
}

const german = aFeed({ region: "de", baselineAt: null, goodAt: null, watermark: null });
const since = (
  feeds: readonly Feed[],
  feed = german,
  store: "appstore" | "googleplay" = "googleplay",
) => newsSince({ feed, listing: { store }, feeds: [german, ...feeds], now });

test("the newest review that another language has seen", () => {
  expect(since([aFeed({})])).toEqual(ago(2 * hourMs));
});

test("of several the one that saw least", () => {
  const quick = aFeed({ region: "fr", goodAt: ago(minuteMs), watermark: ago(minuteMs) });
  expect(since([quick, aFeed({})])).toEqual(ago(2 * hourMs));
});

test("a quiet language has seen all up to its last good pass", () => {
  expect(since([aFeed({ watermark: ago(90 * dayMs) })])).toEqual(ago(hourMs));
  expect(since([aFeed({ watermark: null, outcome: "empty" })])).toEqual(ago(hourMs));
});

test("what is older than a day is history", () => {
  expect(since([aFeed({ goodAt: ago(9 * dayMs) })])).toEqual(ago(dayMs));
});

test("nothing while no other language was walked, in later passes, and of storefronts", () => {
  expect(since([])).toBeNull();
  expect(since([aFeed({ baselineAt: null, goodAt: null })])).toBeNull();
  expect(since([aFeed({ kind: "ratings", region: "us" })])).toBeNull();
  expect(since([aFeed({})], aFeed({ region: "de" }))).toBeNull();
  expect(since([aFeed({})], german, "appstore")).toBeNull();
});
