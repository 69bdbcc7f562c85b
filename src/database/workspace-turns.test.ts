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
