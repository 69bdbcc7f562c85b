import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRetryAfter } from "../../lib/retry-after.ts";
import { dayMs, hourMs, minuteMs } from "../../lib/timestamp.ts";
import { scheduleRetry } from "./retry-schedule.ts";

const queuedAt = new Date("2026-03-01T00:00:00Z");
const settings = { cycleSeconds: 60, giveUpDays: 7 };

function delayMs(overrides: {
  retryCount?: number;
  retryAfterMs?: number | null;
  random?: number;
}) {
  const failure = {
    now: queuedAt,
    queuedAt,
    retryCount: 0,
    retryAfterMs: null,
    mayExpire: true,
    random: 0.5,
  };
  const outcome = scheduleRetry({ ...failure, ...overrides }, settings);
  return outcome.kind === "retry" ? outcome.dueAt.getTime() - queuedAt.getTime() : null;
}

describe("the cycle", () => {
  test.each([
    [0, 1],
    [1, 2],
    [2, 4],
    [5, 32],
    [6, 60],
    [7, 60],
    [500, 60],
  ])("after %i earlier failures is %i minutes", (retryCount, minutes) => {
    expect(delayMs({ retryCount })).toBe(minutes * minuteMs);
  });

  test("is spread by a fifth either way", () => {
    expect(delayMs({ random: 0 })).toBe(48_000);
    expect(delayMs({ random: 0.999_999_9 })).toBe(72_000);
  });

  test("never leaves its bounds, whatever happened before", () => {
    const retryCount = fc.nat();
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(retryCount, random, (count, chance) => {
        const delay = delayMs({ retryCount: count, random: chance }) ?? Number.NaN;
        expect(delay).toBeGreaterThanOrEqual(48_000);
        expect(delay).toBeLessThanOrEqual(1.2 * hourMs);
      }),
    );
  });
});

describe("Retry-After", () => {
  test("is a lower bound, up to six hours", () => {
    expect(delayMs({ retryAfterMs: 1_000 })).toBe(minuteMs);
    expect(delayMs({ retryAfterMs: 2 * hourMs })).toBe(2 * hourMs);
    expect(delayMs({ retryAfterMs: 40 * dayMs })).toBe(6 * hourMs);
  });

  test.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Sun, 01 Mar 2026 00:10:00 GMT", 10 * minuteMs],
    ["Sat, 28 Feb 2026 00:00:00 GMT", 0],
    ["-5", null],
    ["5.5", null],
    ["soon", null],
    ["", null],
    [null, null],
  ])("%j is read as %j ms", (header, expected) => {
    expect(parseRetryAfter(header, queuedAt)).toBe(expected);
  });
});

describe("giving up", () => {
  const failAt = (now: Date, mayExpire = true) =>
    scheduleRetry(
      { now, queuedAt, retryCount: 50, retryAfterMs: null, mayExpire, random: 0.5 },
      settings,
    );
  const end = new Date(queuedAt.getTime() + 7 * dayMs);

  test("a failure after the window expires the delivery", () => {
    expect(failAt(end)).toEqual({ kind: "expired" });
  });

  test("the last attempt comes at the end of the window", () => {
    expect(failAt(new Date(end.getTime() - 1))).toEqual({ kind: "retry", dueAt: end });
  });

  test("a failure while the time is in doubt is retried after the cycle", () => {
    const dueAt = new Date(end.getTime() + hourMs);
    expect(failAt(end, false)).toEqual({ kind: "retry", dueAt });
  });
});
