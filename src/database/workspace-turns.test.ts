// The turns of workspaces at the database.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorkspaceTurns } from "./workspace-turns.ts";

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

test("a third statement of a workspace waits until one of two ends, and others don't", async () => {
  const take = createWorkspaceTurns();
  const first = heldWork();
  const running = [take("a", first.work), take("a", heldWork().work)];
  let hasStarted = false;
  const third = take("a", async () => {
    hasStarted = true;
  });
  expect(await take("b", async () => "others")).toBe("others");
  expect(hasStarted).toBe(false);
  first.end();
  await Promise.all([running[0], third]);
  expect(hasStarted).toBe(true);
});

test("one that gets no turn is refused after five seconds and leaves the line", async () => {
  const take = createWorkspaceTurns();
  const first = heldWork();
  const running = [take("a", first.work), take("a", heldWork().work)];
  const work = vi.fn(async () => "late");
  const refused = expect(take("a", work)).rejects.toMatchObject({
    ...{ code: "rate_limited", retryAfterSeconds: 5 },
  });
  await vi.advanceTimersByTimeAsync(5_000);
  await refused;
  first.end();
  await running[0];
  expect(await take("a", async () => "next")).toBe("next");
  expect(work).not.toHaveBeenCalled();
});

test("a line that is full refuses at once", async () => {
  const take = createWorkspaceTurns();
  void take("a", heldWork().work);
  void take("a", heldWork().work);
  const waiting = Array.from({ length: 1_000 }, () => take("a", heldWork().work));
  const ends = Promise.allSettled(waiting);
  await expect(take("a", heldWork().work)).rejects.toMatchObject({ code: "rate_limited" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await ends).every(({ status }) => status === "rejected")).toBe(true);
});

test("a failure gives its turn to the next", async () => {
  const take = createWorkspaceTurns();
  void take("a", heldWork().work);
  const failing = take("a", () => Promise.reject(new Error("broken")));
  const next = take("a", async () => "next");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

test("the waiting line with the least use is served next", async () => {
  const take = createWorkspaceTurns(2);
  const use = async (id: string, ms: number) => {
    const held = heldWork();
    const done = take(id, held.work);
    await vi.advanceTimersByTimeAsync(ms);
    held.end();
    await done;
  };
  for (const [id, ms] of Object.entries({ a: 900, b: 700, c: 500 })) await use(id, ms);
  const held = [heldWork(), heldWork()];
  for (const { work } of held) void take("d", work);
  const order: string[] = [];
  const waiting = ["a", "b", "c", "new"].map((id) => take(id, async () => void order.push(id)));
  held[0]?.end();
  await Promise.all(waiting);
  expect(order).toEqual(["new", "c", "b", "a"]);
});

test("many workspaces that use much leave connections to others", async () => {
  const take = createWorkspaceTurns(10);
  const ids = Array.from({ length: 10 }, (_, index) => `mine ${index}`);
  const hold = async (): Promise<{ runningCount: number; end: () => Promise<unknown> }> => {
    const { work, end } = heldWork();
    let runningCount = 0;
    const run = (): Promise<string> => {
      runningCount += 1;
      return work();
    };
    const all = ids.map((id) => take(id, run));
    await vi.advanceTimersByTimeAsync(3_000);
    const endAll = (): Promise<unknown> => {
      end();
      return Promise.all(all);
    };
    return { runningCount, end: endAll };
  };
  const first = await hold();
  expect(first.runningCount).toBe(10);
  await first.end();
  const second = await hold();
  expect(second.runningCount).toBe(6);
  expect(await take("other", async () => "answered")).toBe("answered");
  await second.end();
});
