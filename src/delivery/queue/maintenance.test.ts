import { expect, test } from "vitest";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { systemDelay } from "../../lib/delay.ts";
import { silentLog } from "../../lib/log.ts";
import { runMaintenance } from "./maintenance.ts";

const batchMs = 5;
const start = new Date("2026-03-31T00:00:00Z");

function maintain(more: {
  deleted?: number[];
  remains?: number[];
  isDayLocked?: boolean;
  oldest?: Date;
  isSettled?: boolean;
}) {
  const isSettled = (): boolean => more.isSettled ?? true;
  const clock = Object.assign(new MovableClock(start), { isSettled });
  const deleted = [...(more.deleted ?? [])];
  const remains = [...(more.remains ?? [])];
  const before: Date[] = [];
  const rests: number[] = [];
  const queue = {
    repairQueue: async () => 2,
    deleteEndedSecrets: async () => 0,
    findOldestDelivery: async () => more.oldest ?? new Date("2026-02-28T12:00:00Z"),
    deleteOldDeliveries: async (batch: { before: Date }) => {
      before.push(batch.before);
      await systemDelay(batchMs);
      return deleted.shift() ?? 0;
    },
    findDeletedChannel: async () => (remains.length > 0 ? "gone" : null),
    deleteRemains: async () => remains.shift() ?? 0,
    transaction: async () => {
      if (more.isDayLocked) throw new Error("canceling statement due to lock timeout");
      return [] as never;
    },
  };
  const { signal } = new AbortController();
  const delay = async (ms: number) => void rests.push(ms);
  const deps = { clock, log: silentLog, queue, signal, delay };
  return { before, remains, rests, done: runMaintenance(deps, { retentionDays: 30 }) };
}

test("maintenance deletes in batches until nothing old is left, and says what it found", async () => {
  const { before, done } = maintain({ deleted: [1_000, 1_000, 7] });
  expect(await done).toEqual({ repairedCount: 2, deletedCount: 2_007 });
  expect(before).toEqual(Array(3).fill(new Date("2026-03-01T00:00:00Z")));
});

test("after each batch the database has three times as long for others", async () => {
  const { done, rests } = maintain({ deleted: [1_000, 1_000, 7] });
  await done;
  expect(rests).toHaveLength(2);
  // A timer may end a millisecond early.
  for (const restMs of rests) expect(restMs).toBeGreaterThan(3 * (batchMs - 2));
});

test("what deleted channels left behind goes until nothing is left", async () => {
  const { done, remains } = maintain({ remains: [1_000, 3, 0] });
  await done;
  expect(remains).toEqual([]);
});

test("a day of the log that is locked keeps nothing else from being done", async () => {
  const { done } = maintain({ deleted: [5], isDayLocked: true });
  expect(await done).toMatchObject({ deletedCount: 5 });
});

test("one day of deliveries is deleted in a round", async () => {
  const oldest = new Date("2026-01-01T08:00:00Z");
  const { before, done } = maintain({ deleted: [3], oldest });
  await done;
  expect(before).toEqual([new Date("2026-01-02T08:00:00Z")]);
});

test("nothing is deleted while the time is in doubt", async () => {
  const { before, done } = maintain({ deleted: [3], isSettled: false });
  expect(await done).toMatchObject({ deletedCount: 0 });
  expect(before).toEqual([]);
});
