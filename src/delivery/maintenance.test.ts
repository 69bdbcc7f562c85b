import { expect, test } from "vitest";
import { MovableClock } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import { runUpkeep } from "./maintenance.ts";

test("upkeep deletes in batches until nothing old is left, and says what it found", async () => {
  const clock = new MovableClock(new Date("2026-03-31T00:00:00Z"));
  const left = [1_000, 1_000, 7];
  const asked: Date[] = [];
  const queue = {
    repairQueue: async () => 2,
    deleteOldDeliveries: async ({ before }: { before: Date }) => {
      asked.push(before);
      return left.shift() ?? 0;
    },
  };
  const done = await runUpkeep({ clock, log: silentLog, queue }, { retentionDays: 30 });
  expect(done).toEqual({ repairedCount: 2, deletedCount: 2_007 });
  expect(asked).toEqual(Array(3).fill(new Date("2026-03-01T00:00:00Z")));
});
