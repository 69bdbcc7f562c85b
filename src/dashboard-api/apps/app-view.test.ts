import { expect, test } from "vitest";
import { startTime } from "../../../test/support/factories.ts";
import { countImported } from "./app-view.ts";

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
