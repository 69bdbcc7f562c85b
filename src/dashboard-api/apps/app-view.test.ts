import { expect, test } from "vitest";
import { startTime } from "../../../test/support/factories.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { countImported, toCollectingState } from "./app-view.ts";

const read = { kind: "reviews", outcome: "ok", baselineAt: startTime, alarm: null } as const;
const waiting = { ...read, outcome: null, baselineAt: null };
const failing = { ...waiting, outcome: "unknown" } as const;
const ratings = { ...waiting, kind: "ratings" } as const;

test("an app is being imported until each of its storefronts was read to the end", () => {
  expect(countImported([read, waiting, waiting, ratings])).toEqual({ doneCount: 1, feedCount: 3 });
  expect(countImported([read, failing, waiting])).toEqual({ doneCount: 1, feedCount: 3 });
});

test("one that waits only for storefronts that fail is not, nor is one that is read, or never is", () => {
  expect([countImported([read, failing]), countImported([read, ratings])]).toEqual([null, null]);
  expect(countImported([])).toBeNull();
});

test("the reviews alone say when an app was read and is read next: ratings are read once a day", () => {
  const at = (hour: number) => new Date(startTime.getTime() + hour * hourMs);
  const feed = { ...read, region: "us", lastError: null, source: "public" } as const;
  const feeds = [
    { ...feed, goodAt: at(20), nextDueAt: at(21) },
    { ...feed, region: "de", goodAt: at(19), nextDueAt: at(22) },
    { ...feed, kind: "ratings" as const, goodAt: at(0), nextDueAt: at(20) },
  ];
  const counts = { reviewCount: 2, paceNote: null };
  expect(toCollectingState({ store: "appstore", feeds }, counts)).toMatchObject({
    ...{ state: "good", feedCount: 2, regionCount: 2 },
    ...{ goodAt: "2026-11-22T07:00:00Z", nextDueAt: "2026-11-22T09:00:00Z" },
  });
});
