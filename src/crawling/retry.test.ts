// How often a request to a store is tried before its outcome counts.
import { expect, test } from "vitest";
import { fetchWithRetry } from "./retry.ts";

const unknown = { outcome: "unknown", reason: "?", blocked: false, retryAfterMs: null } as const;

test.each([
  [unknown, 4],
  [{ ...unknown, isFinal: true as const }, 1],
  [{ ...unknown, blocked: true }, 1],
  [{ ...unknown, retryAfterMs: 3_600_000 }, 1],
])("%o is tried %i times", async (outcome, count) => {
  let tryCount = 0;
  const delays: number[] = [];
  const randoms = [0.9, 0.5, 0];
  const options = {
    delay: async (durationMs: number) => void delays.push(durationMs),
    random: () => randoms[delays.length] ?? 0,
  };
  const fetched = await fetchWithRetry(options, async () => {
    tryCount += 1;
    return outcome;
  });
  expect(fetched).toBe(outcome);
  expect(tryCount).toBe(count);
  expect(delays).toEqual([3_800, 6_000, 8_000].slice(0, count - 1));
});
