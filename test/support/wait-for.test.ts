// Waiting for a condition ends as soon as it holds, and fails with what was waited for.
import { expect, test } from "vitest";
import { waitFor } from "./wait-for.ts";

test("the first value is returned, and nothing is checked after it", async () => {
  let checkCount = 0;
  const value = await waitFor(() => (++checkCount === 3 ? "ready" : null), {
    withinMs: 1_000,
    what: "the third check",
    intervalMs: 1,
  });
  expect(value).toBe("ready");
  expect(checkCount).toBe(3);
});

test("0 and empty text are values", async () => {
  const options = { withinMs: 0, what: "a value" };
  expect(await waitFor(() => 0, options)).toBe(0);
  expect(await waitFor(() => "", options)).toBe("");
});

test("the failure names what was waited for, in its last state", async () => {
  let checkCount = 0;
  const waiting = waitFor(() => ++checkCount < 0, {
    withinMs: 5,
    what: () => `a crawl after ${checkCount > 0 ? "some" : "no"} checks`,
    intervalMs: 1,
  });
  await expect(waiting).rejects.toThrow("waited 5 ms in vain for a crawl after some checks");
});
