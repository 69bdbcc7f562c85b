// Work in threads of its own: what it returns, and how it ends when it exceeds its budget.
import os from "node:os";
import { expect, test, vi } from "vitest";
import { createGate } from "../../test/support/gate.ts";
import { longTest } from "../../test/support/patience.ts";
import * as work from "../../test/support/pool-work.ts";
import { OverBudgetError, runApart } from "./work-pool.ts";

const module = new URL("../../test/support/pool-work.ts", import.meta.url).href;
const ample = { busyMs: 60_000, owner: null };

test("arguments and results are cloned, streams are read, and errors arrive", async () => {
  expect(await runApart({ module, run: work.add }, [1, 2], ample)).toBe(3);
  const chunks = ReadableStream.from([Buffer.alloc(3), Buffer.alloc(4)]);
  expect(await runApart({ module, run: work.measure }, [chunks], ample)).toBe(7);
  await expect(runApart({ module, run: work.refuse }, [], ample)).rejects.toThrow("not today");
  const hidden = runApart({ module, run: function notThere() {} }, [], ample);
  await expect(hidden).rejects.toThrow("exports no notThere");
});

test("work that never ends is ended, and timers run meanwhile", async () => {
  let tickCount = 0;
  const timer = setInterval(() => {
    tickCount += 1;
  }, 1);
  const spinning = runApart({ module, run: work.spin }, [], { busyMs: 200, owner: null });
  await expect(spinning).rejects.toThrow(new OverBudgetError("it took more than 0.2 s"));
  clearInterval(timer);
  expect(tickCount).toBeGreaterThan(10);
  expect(await runApart({ module, run: work.add }, [1, 2], ample)).toBe(3);
});

test("a call that begins while an idle thread ends gets another one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    expect(await runApart({ module, run: work.add }, [1, 2], ample)).toBe(3);
    vi.advanceTimersToNextTimer();
    expect(await runApart({ module, run: work.add }, [2, 2], ample)).toBe(4);
  } finally {
    vi.useRealTimers();
  }
});

test("work that takes too much memory is ended, and the process goes on", async () => {
  const swelling = runApart({ module, run: work.swell }, [], ample);
  await expect(swelling).rejects.toThrow(OverBudgetError);
});

test("a source is left unread when its reader is ended", async () => {
  let pieceCount = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      pieceCount += 1;
      yield Buffer.alloc(65_536);
    }
  }
  const chunks = ReadableStream.from(endless());
  const reading = runApart({ module, run: work.readAndSpin }, [chunks], {
    ...{ busyMs: 200, owner: null },
  });
  await expect(reading).rejects.toThrow(OverBudgetError);
  expect(pieceCount).toBeLessThan(10);
});

test("waiting for input is not counted", async () => {
  // Threads that have loaded the work: loading is counted.
  await Promise.all([1, 2].map((n) => runApart({ module, run: work.add }, [n, n], ample)));
  const gate = createGate();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(1);
    await gate.opened;
  }
  const measuring = runApart({ module, run: work.measure }, [ReadableStream.from(slow())], {
    ...{ busyMs: 400, owner: null },
  });
  // The other thread is busy for longer than the budget of the one that waits.
  const spinning = runApart({ module, run: work.spin }, [], { busyMs: 500, owner: null });
  await expect(spinning).rejects.toThrow(OverBudgetError);
  gate.open();
  expect(await measuring).toBe(1);
});

test("one owner's work runs one by one, and others are not behind it", async () => {
  const events: string[] = [];
  const greedy = ["a", "b", "c"].map((name) => {
    const { opened, open } = createGate();
    async function* heldBack(): AsyncGenerator<Uint8Array> {
      events.push(`${name} begins`);
      await opened;
      yield Buffer.alloc(1);
      events.push(`${name} ends`);
    }
    const chunks = ReadableStream.from(heldBack());
    const owned = { busyMs: 60_000, owner: "greedy" };
    return { open, ended: runApart({ module, run: work.measure }, [chunks], owned) };
  });
  for (const { open, ended } of greedy) {
    const modest = { busyMs: 60_000, owner: "modest" };
    expect(await runApart({ module, run: work.add }, [1, 2], modest)).toBe(3);
    open();
    expect(await ended).toBe(1);
  }
  const turns = ["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]);
  expect(events).toEqual(turns);
});

test("an owner whose work is waiting is refused more, and others are not", async () => {
  const spinning = Promise.allSettled(
    Array.from({ length: 20 }, () =>
      runApart({ module, run: work.spin }, [], { busyMs: 1, owner: "greedy" }),
    ),
  );
  const other = runApart({ module, run: work.add }, [1, 2], { busyMs: 60_000, owner: "modest" });
  expect(await other).toBe(3);
  const ends = await spinning;
  const reasons = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
  expect(reasons.filter((reason) => reason.includes("is waiting"))).toHaveLength(11);
});

test("owners that used the threads for long leave one to others", longTest, async () => {
  const owners = Array.from({ length: Math.max(2, os.availableParallelism()) }, (_, i) => `${i}`);
  const spinAll = async (): Promise<void> => {
    const spin = (owner: string) =>
      runApart({ module, run: work.spin }, [], { busyMs: 2_500, owner });
    await Promise.allSettled(owners.map(spin));
  };
  await spinAll();
  let isOver = false;
  const again = spinAll().finally(() => {
    isOver = true;
  });
  const one = { busyMs: 60_000, owner: "modest" };
  for (const n of [1, 2, 3])
    expect(await runApart({ module, run: work.add }, [n, n], one)).toBe(2 * n);
  expect(isOver).toBe(false);
  await again;
});
