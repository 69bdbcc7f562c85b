// Waiting for a verdict: it ends with the first one that is decided, or with the time.
import { expect, test } from "vitest";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import type { Verdict, VerdictResult } from "../../domain/changes/verdict.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { waitForVerdict } from "./commands.ts";

async function wait(states: (VerdictResult | null)[], waitMs: number) {
  const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
  const [delays, notes]: [number[], string[]] = [[], []];
  let reads = 0;
  const verdict = await waitForVerdict({
    ...{ clock, waitMs },
    async delay(durationMs) {
      delays.push(durationMs);
      clock.advance(durationMs);
    },
    async read() {
      const result = states[Math.min(reads++, states.length - 1)] ?? null;
      return result && ({ result, words: `it is ${result}` } as Verdict);
    },
    onUndecided: (words) => void notes.push(words),
  });
  return { result: verdict?.result ?? null, delays, notes };
}

test("ends with the first verdict, and notes each reason to wait once", async () => {
  const states = [null, null, "undecided", "undecided", "worse"] as const;
  expect(await wait([...states], hourMs)).toEqual({
    result: "worse",
    delays: Array.from({ length: 4 }, () => minuteMs),
    notes: ["no review names the version yet", "it is undecided"],
  });
});

test("ends with the time, the last wait being as short as is left", async () => {
  expect(await wait(["undecided"], 1.5 * minuteMs)).toMatchObject({
    result: "undecided",
    delays: [minuteMs, minuteMs / 2],
  });
  expect(await wait([null], 0)).toEqual({ result: null, delays: [], notes: [] });
});
