// The turns at something that all share, as the database, the threads, the stores and the passwords use them.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFairQueue, type TakeTurn, type Turn } from "./fair-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when the test says so. */
function heldWork() {
  let resolve = (_: string): void => {};
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  return { work: () => promise, end: () => resolve("done") };
}

const late = new Error("late");
const full = new Error("full");
const waitingMax = 1_000;
/** Like that of the connections. */
const openQueue = (slotCount = 10): TakeTurn<Turn> =>
  createFairQueue({
    ...{ slotCount, perLineMax: 2, waitMsMax: 5_000, refuse: () => late },
    much: { ms: 2_000, slotCount: slotCount * 0.6 },
    admit({ line }, waiting) {
      if (waiting.filter((one) => one.line === line).length >= waitingMax) throw full;
    },
  });

test("a third work of a line waits until one of two ends, and others don't", async () => {
  const take = openQueue();
  const first = heldWork();
  const running = [take({ line: "a" }, first.work), take({ line: "a" }, heldWork().work)];
  let hasStarted = false;
  const third = take({ line: "a" }, async () => {
    hasStarted = true;
  });
  expect(await take({ line: "b" }, async () => "others")).toBe("others");
  expect(hasStarted).toBe(false);
  first.end();
  await Promise.all([running[0], third]);
  expect(hasStarted).toBe(true);
});

test("work that gets no turn is refused in time and leaves the line", async () => {
  const take = openQueue();
  const first = heldWork();
  const running = [take({ line: "a" }, first.work), take({ line: "a" }, heldWork().work)];
  const work = vi.fn(async () => "late");
  const refused = expect(take({ line: "a" }, work)).rejects.toBe(late);
  await vi.advanceTimersByTimeAsync(5_000);
  await refused;
  first.end();
  await running[0];
  expect(await take({ line: "a" }, async () => "next")).toBe("next");
  expect(work).not.toHaveBeenCalled();
});

test("a line that is full refuses at once", async () => {
  const take = openQueue();
  for (let count = 0; count < 2; count += 1) void take({ line: "a" }, heldWork().work);
  const waiting = Array.from({ length: waitingMax }, () => take({ line: "a" }, heldWork().work));
  const ends = Promise.allSettled(waiting);
  await expect(take({ line: "a" }, heldWork().work)).rejects.toBe(full);
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await ends).every(({ status }) => status === "rejected")).toBe(true);
});

test("a failure gives its turn to the next", async () => {
  const take = openQueue();
  void take({ line: "a" }, heldWork().work);
  const failing = take({ line: "a" }, () => Promise.reject(new Error("broken")));
  const next = take({ line: "a" }, async () => "next");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

test("a caller that leaves gives up its place in the line", async () => {
  const take = openQueue(1);
  const held = heldWork();
  const running = take({ line: "a" }, held.work);
  const left = new AbortController();
  const work = vi.fn(async () => {});
  const gone = expect(take({ line: "b", signal: left.signal }, work)).rejects.toBe(late);
  left.abort();
  await gone;
  await expect(take({ line: "b", signal: left.signal }, work)).rejects.toBe(late);
  held.end();
  await running;
  expect(work).not.toHaveBeenCalled();
});

test("the waiting line with the least use is served next", async () => {
  const take = openQueue(2);
  for (const [line, ms] of Object.entries({ a: 900, b: 700, c: 500 })) {
    const held = heldWork();
    const done = take({ line }, held.work);
    await vi.advanceTimersByTimeAsync(ms);
    held.end();
    await done;
  }
  const held = [heldWork(), heldWork()];
  for (const [index, { work }] of held.entries()) void take({ line: `d${index}` }, work);
  const order: string[] = [];
  const waiting = ["a", "b", "c", "new"].map((line) =>
    take({ line }, async () => void order.push(line)),
  );
  held[0]?.end();
  await Promise.all(waiting);
  expect(order).toEqual(["new", "c", "b", "a"]);
});

describe("owners", () => {
  /** Asks for places and shows which work got one. */
  function hold(take: TakeTurn<Turn>, turns: readonly Turn[]) {
    const { work, end } = heldWork();
    const running: Turn[] = [];
    const all = turns.map((turn) =>
      take(turn, () => {
        running.push(turn);
        return work();
      }),
    );
    const endAll = (): Promise<unknown> => {
      end();
      return Promise.all(all);
    };
    return { running, end: endAll };
  }
  const lines = (count: number, owner?: string): Turn[] =>
    Array.from({ length: count }, (_, index) => ({
      line: `${owner} ${index}`,
      ...(owner && { owner }),
    }));

  test("with fifty lines take half of the places at the first moment", async () => {
    const take = openQueue();
    const mine = hold(take, lines(50, "me"));
    expect(mine.running).toHaveLength(5);
    const yours = hold(take, lines(50, "you"));
    expect(yours.running).toHaveLength(3);
    expect(await take({ line: "other" }, async () => "answered")).toBe("answered");
    await Promise.all([mine.end(), yours.end()]);
  });

  test("that use much leave places to others, also by work that has not ended yet", async () => {
    const take = openQueue();
    const many = lines(7);
    const first = hold(take, many);
    expect(first.running).toHaveLength(7);
    await vi.advanceTimersByTimeAsync(3_000);
    // Each of them could have two.
    const second = hold(take, many);
    expect(second.running).toHaveLength(0);
    const others = hold(take, [{ line: "x" }, { line: "y" }]);
    expect(others.running).toHaveLength(2);
    await others.end();
    await first.end();
    await second.end();
    const third = hold(take, many);
    expect(third.running).toHaveLength(6);
    await third.end();
  });
});

test("an owner that used much takes a free slot once its use has faded, although no work ends", async () => {
  const take = createFairQueue({ slotCount: 2, much: { ms: 2_000, slotCount: 1 } });
  const heavy = heldWork();
  const first = take({ line: "heavy" }, heavy.work);
  await vi.advanceTimersByTimeAsync(4_500);
  heavy.end();
  await first;
  void take({ line: "other" }, heldWork().work);
  const started = vi.fn(async () => {});
  void take({ line: "heavy" }, started);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(started).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(started).toHaveBeenCalledOnce();
});

test("lines in turns are served in turns, however long the work of one took", async () => {
  const take = createFairQueue({ slotCount: 1, isInTurns: true });
  const order: string[] = [];
  const all = ["a", "a", "b", "b", "b", "c"].map((line) =>
    take({ line }, async () => {
      order.push(line);
      await vi.advanceTimersByTimeAsync(line === "b" ? 1_000 : 1);
    }),
  );
  await Promise.all(all);
  expect(order).toEqual(["a", "b", "c", "a", "b", "b"]);
});

test("lines of a lower rank go first", async () => {
  const take = createFairQueue({ slotCount: 1 });
  const held = heldWork();
  const running = take({ line: "a" }, held.work);
  const order: number[] = [];
  const waiting = [2, 1, 0].map((rank) =>
    take({ line: `${rank}`, rank }, async () => void order.push(rank)),
  );
  held.end();
  await Promise.all([running, ...waiting]);
  expect(order).toEqual([0, 1, 2]);
});

test("any work is done once within all limits, or refused, and an idle queue is free again", async () => {
  const aWork = fc.record({
    line: fc.constantFrom("a", "b", "c", "d", null),
    owner: fc.constantFrom(undefined, "one", "two"),
    rank: fc.constantFrom(0, 1),
    startMs: fc.integer({ min: 0, max: 8_000 }),
    ms: fc.integer({ min: 0, max: 4_000 }),
    fails: fc.boolean(),
    leavesMs: fc.option(fc.integer({ min: 0, max: 8_000 })),
  });
  const property = fc.asyncProperty(
    fc.array(aWork, { maxLength: 40 }),
    fc.integer({ min: 1, max: 6 }),
    fc.boolean(),
    async (works, slotCount, isInTurns) => {
      const take = createFairQueue<Turn>({
        ...{ slotCount, perLineMax: 2, isInTurns, waitMsMax: 5_000, refuse: () => late },
        much: { ms: 2_000, slotCount: Math.max(1, slotCount - 1) },
      });
      const running: (string | null)[] = [];
      let doneCount = 0;
      const ends = works.map(async ({ line, owner, rank, startMs, ms, fails, leavesMs }) => {
        await new Promise((resolve) => setTimeout(resolve, startMs));
        const left = new AbortController();
        if (leavesMs !== null) setTimeout(() => left.abort(), leavesMs);
        const turn = { line, rank, signal: left.signal, ...(owner && line && { owner }) };
        await take(turn, async () => {
          running.push(line);
          expect(running.length).toBeLessThanOrEqual(slotCount);
          if (line !== null) {
            expect(running.filter((one) => one === line).length).toBeLessThanOrEqual(2);
          }
          await new Promise((resolve) => setTimeout(resolve, ms));
          running.splice(running.indexOf(line), 1);
          doneCount += 1;
          if (fails) throw new Error("failed");
        });
      });
      const settled = Promise.allSettled(ends);
      await vi.runAllTimersAsync();
      const reasons = (await settled).flatMap((one) =>
        one.status === "rejected" ? [one.reason] : [],
      );
      const refused = reasons.filter((reason) => reason === late);
      expect(reasons.filter((one) => one !== late && one.message !== "failed")).toEqual([]);
      expect(doneCount + refused.length).toBe(works.length);
      expect(await take({ line: "after" }, async () => "free")).toBe("free");
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
