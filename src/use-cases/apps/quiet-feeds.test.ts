// Messages about storefronts that are read less often than others.
import { expect, test } from "vitest";
import { aFeed } from "../../../test/support/feeds.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { toCoverage } from "./coverage.ts";
import { describeQuietApps } from "./feed-notes.ts";

const now = new Date("2026-11-21T12:00:00Z");

function describe(store: StoreId, intervals: readonly (number | null)[], appCount = 1): string[] {
  const app = {
    ...{ id: "a", workspaceId: "w", listingId: "l", name: "Tidepool", store, externalAppId: "1" },
    ...{ iconUrl: "", countries: [], languages: [], addedAt: now, version: 0 },
  };
  const feeds = [
    aFeed({ kind: "ratings" }),
    ...intervals.map((intervalMinutes) => aFeed({ intervalMinutes })),
  ].map((feed) => toCoverage(feed, { app, now }));
  const apps = Array.from({ length: appCount }, () => ({ ...app, feeds }));
  return describeQuietApps(apps, { intervalMinutes: 60 });
}

test("from the shortest to the longest interval, and once where they are the same", () => {
  expect(describe("appstore", [60, 4_320, 300, null])).toEqual([
    "Tidepool: 2 of 4 storefronts have few reviews, or none, and are read every 5 hours to 3 days",
  ]);
  expect(describe("googleplay", [10_080, 60])).toEqual([
    "Tidepool: 1 of 2 languages have few reviews, or none, and are read every 7 days",
  ]);
});

test("nothing is said where all are read within the interval", () => {
  expect(describe("appstore", [60, null])).toEqual([]);
});

test("many apps are one line", () => {
  expect(describe("appstore", [10_080], 10)).toHaveLength(10);
  expect(describe("appstore", [10_080], 11)).toEqual([
    "11 apps have storefronts or languages with few reviews, or none, which are read less often; --json has each",
  ]);
});
