// How often a store is asked one thing before its word counts.
import { expect, test } from "vitest";
import { fetchWithTries } from "./retry.ts";

const doubt = { outcome: "unknown", reason: "?", blocked: false, retryAfterMs: null } as const;

test.each([
  [doubt, 3],
  [{ ...doubt, isFinal: true as const }, 1],
  [{ ...doubt, blocked: true }, 1],
  [{ ...doubt, retryAfterMs: 3_600_000 }, 1],
])("%o is asked for %i times", async (answer, count) => {
  let asked = 0;
  const patience = { delay: async () => {}, random: () => 0.5 };
  const fetched = await fetchWithTries(patience, async () => {
    asked += 1;
    return answer;
  });
  expect(fetched).toBe(answer);
  expect(asked).toBe(count);
});
