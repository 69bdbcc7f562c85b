// The loop of the workers: when it works, what wakes it, how it fails and how it ends.
import { expect, test } from "vitest";
import { type Log, silentLog } from "./log.ts";
import { startWorkerLoop, type WorkerLoopOptions } from "./worker-loop.ts";

type Wait = { durationMs: number; end: () => void };

/** A loop whose waits the test ends by hand, and whose rounds report when they begin. */
function startLoop(options: Partial<WorkerLoopOptions> = {}) {
  const waits = createQueue<Wait>();
  const rounds = createQueue<AbortSignal>();
  const errors: { facts: Record<string, unknown>; message: string }[] = [];
  const note = (facts: Record<string, unknown>, message: string) => {
    errors.push({ facts, message });
  };
  const log: Log = { ...silentLog, warn: note, error: note };
  const { runRound = async () => 60_000, ...rest } = options;
  const loop = startWorkerLoop({
    name: "test worker",
    log,
    delay: (durationMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        signal?.addEventListener("abort", () => resolve(), { once: true });
        waits.push({ durationMs, end: resolve });
      }),
    runRound(signal) {
      rounds.push(signal);
      return runRound(signal);
    },
    ...rest,
  });
  return { loop, waits, rounds, errors };
}

/** `next` resolves to each pushed value in turn, also to one that is pushed later. */
function createQueue<T>() {
  const values: T[] = [];
  const waiting: ((value: T) => void)[] = [];
  return {
    push(value: T): void {
      const resolve = waiting.shift();
      if (resolve) resolve(value);
      else values.push(value);
    },
    next: (): Promise<T> =>
      new Promise((resolve) => {
        const value = values.shift();
        if (value === undefined) waiting.push(resolve);
        else resolve(value);
      }),
    get size(): number {
      return values.length;
    },
  };
}

test("a round follows when the wait is over", async () => {
  const { loop, waits, rounds } = startLoop();
  await rounds.next();
  const wait = await waits.next();
  expect(wait.durationMs).toBe(60_000);
  wait.end();
  await rounds.next();
  await loop.close();
});

test("a wake-up cuts the wait short, the first one too", async () => {
  const { loop, waits, rounds } = startLoop({ firstDelayMs: 5_000 });
  expect((await waits.next()).durationMs).toBe(5_000);
  expect(rounds.size).toBe(0);
  loop.wake();
  await rounds.next();
  await waits.next();
  loop.wake();
  await rounds.next();
  await loop.close();
});

test("woken while it works, it works once more at once, and only once", async () => {
  const results: ((waitMs: number) => void)[] = [];
  const runRound = () => new Promise<number>((resolve) => results.push(resolve));
  const { loop, waits, rounds } = startLoop({ runRound });
  await rounds.next();
  loop.wake();
  loop.wake();
  results[0]?.(60_000);
  await rounds.next();
  expect(waits.size).toBe(0);
  results[1]?.(60_000);
  await waits.next();
  expect(rounds.size).toBe(0);
  await loop.close();
});

test("a round that asks for no wait is followed at once", async () => {
  const waitsMs = [0, 0, 60_000];
  const { loop, waits, rounds } = startLoop({ runRound: async () => waitsMs.shift() ?? 60_000 });
  expect((await waits.next()).durationMs).toBe(60_000);
  expect(rounds.size).toBe(3);
  await loop.close();
});

test("an error in a round is logged, and each further one waits twice as long, up to the limit", async () => {
  let failures = 4;
  const { loop, waits, errors } = startLoop({
    retryMs: 1_000,
    retryMsMax: 3_000,
    async runRound() {
      failures -= 1;
      if (failures >= 0) throw new Error("the database is away");
      return 60_000;
    },
  });
  for (const durationMs of [1_000, 2_000, 3_000, 3_000]) {
    const wait = await waits.next();
    expect(wait.durationMs).toBe(durationMs);
    // A wake-up does not cut the wait after an error.
    loop.wake();
    expect(waits.size).toBe(0);
    wait.end();
  }
  expect((await waits.next()).durationMs).toBe(60_000);
  expect(errors).toHaveLength(4);
  expect(errors[1]).toMatchObject({
    message: "the test worker failed; it tries again",
    facts: { retryInMs: 2_000, err: new Error("the database is away") },
  });
  await loop.close();
});

test("a database that is away is a warning, and any other fault is an error", async () => {
  const levels: string[] = [];
  const note = (level: string) => () => levels.push(level);
  const failures = [
    Object.assign(new Error("no connection"), { code: "unavailable" }),
    new Error("a bug"),
  ];
  const { loop, waits } = startLoop({
    log: { ...silentLog, warn: note("warn"), error: note("error") },
    async runRound() {
      const failure = failures.shift();
      if (failure) throw failure;
      return 60_000;
    },
  });
  for (let count = 0; count < 2; count += 1) (await waits.next()).end();
  await waits.next();
  expect(levels).toEqual(["warn", "error"]);
  await loop.close();
});

test("closed while it waits, it begins no further round", async () => {
  const { loop, waits, rounds } = startLoop();
  await waits.next();
  await rounds.next();
  await loop.close();
  expect(rounds.size).toBe(0);
});

test("closed while it works, it aborts the round's signal and waits for its end and for what it left", async () => {
  const order: string[] = [];
  const { loop, rounds, errors } = startLoop({
    runRound: (signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          order.push("round");
          resolve(0);
        }),
      ),
    async finish() {
      order.push("finish");
    },
  });
  await rounds.next();
  await loop.close();
  expect(order).toEqual(["round", "finish"]);
  expect(errors).toEqual([]);
});

test("a round that does not end is left behind at the limit, and the log says so", async () => {
  const { loop, rounds, errors } = startLoop({
    closeMsMax: 1,
    runRound: () => new Promise(() => {}),
  });
  await rounds.next();
  await loop.close();
  expect(errors[0]?.message).toContain("the test worker did not stop in time");
});
