// When quiet lists make room for others.
import { expect, test } from "vitest";
import { MovableClock } from "../../test/support/movable-clock.ts";
import type { StoreLoad } from "../domain/feed/reading-round.ts";
import { minuteMs } from "../lib/timestamp.ts";
import { createIntervalBounds } from "./interval-bounds.ts";

const listing = { id: "l", externalAppId: "1", workspaceId: null } as const;
const appstore = { ...listing, store: "appstore" } as const;
const googleplay = { ...listing, store: "googleplay" } as const;
const base = { intervalMinutes: 60, intervalMinutesMax: 60 };
const crowded = { intervalMinutes: 60, intervalMinutesMax: 10_080 };

function openBounds(intervalMinutesMax = 10_080) {
  const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
  const load = { feedCount: 0, dailyRequestCount: 0, wholeDailyRequestCount: 0 };
  const source = { feedCount: 4_000, readCount: 0, failure: null as Error | null };
  const readStoreLoads = async (): Promise<StoreLoad[]> => {
    source.readCount += 1;
    if (source.failure) throw source.failure;
    return [
      { ...load, store: "appstore", wholeFeedCount: source.feedCount },
      { ...load, store: "googleplay", wholeFeedCount: 10 },
    ];
  };
  const pace = { requestsPerSecond: 1, intervalMinutes: 60 };
  const find = createIntervalBounds({ clock, readStoreLoads }, { pace, intervalMinutesMax });
  return { clock, find, source };
}

test("of a store with more lists than can be read within the interval, and of no other", async () => {
  const { find } = openBounds();
  expect(await find(appstore)).toEqual(crowded);
  expect(await find(googleplay)).toEqual(base);
  // Its owner's account has a pace of its own.
  expect(await find({ ...appstore, credentialId: "c" })).toEqual(base);
});

test("the load is read once in ten minutes, and again after a failure", async () => {
  const { clock, find, source } = openBounds();
  source.failure = new Error("the database is away");
  await expect(find(appstore)).rejects.toThrow("away");
  source.failure = null;
  await find(appstore);
  await find(googleplay);
  source.feedCount = 10;
  clock.advance(9 * minuteMs);
  expect(await find(appstore)).toEqual(crowded);
  expect(source.readCount).toBe(2);
  clock.advance(minuteMs);
  expect(await find(appstore)).toEqual(base);
});

test("an operator who allows no longer interval gets none", async () => {
  expect(await openBounds(30).find(appstore)).toEqual(base);
});
