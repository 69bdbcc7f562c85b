import { expect, test } from "vitest";
import { createSteadyClock } from "./steady-clock.ts";
import { hourMs, minuteMs, secondMs } from "./timestamp.ts";

const start = new Date("2026-11-21T12:00:00Z");

/** The true time runs with the monotonic clock; `wrongMs` is how far the observed clock is off. */
function aClock() {
  let monotonic = 1_000;
  const clock = createSteadyClock(start, { readMonotonicMs: () => monotonic });
  const run = (durationMs: number, wrongMs: number): void => {
    for (let passed = 0; passed < durationMs; passed += 10 * secondMs) {
      monotonic += 10 * secondMs;
      clock.observe(new Date(start.getTime() + monotonic - 1_000 + wrongMs));
    }
  };
  const errorMs = (): number => clock.now().getTime() - (start.getTime() + monotonic - 1_000);
  return { clock, run, errorMs };
}

test.each([-10 * 365 * 24 * hourMs, -hourMs, hourMs, 10 * 365 * 24 * hourMs])(
  "a clock that is wrong by %d ms for a minute does not move it",
  (wrongMs) => {
    const { run, errorMs } = aClock();
    run(hourMs, 0);
    run(minuteMs, wrongMs);
    expect(errorMs()).toBe(0);
    run(hourMs, 0);
    expect(errorMs()).toBe(0);
  },
);

test("a clock that stays at another time is followed after some minutes", () => {
  const { run, errorMs } = aClock();
  run(4 * minuteMs, hourMs);
  expect(errorMs()).toBe(0);
  run(2 * minuteMs, hourMs);
  expect(errorMs()).toBe(hourMs);
});

test("small corrections are followed at once", () => {
  const { run, errorMs } = aClock();
  run(minuteMs, 400);
  expect(errorMs()).toBe(400);
});

test("the time is settled once observations have agreed for minutes", () => {
  const { clock, run } = aClock();
  run(4 * minuteMs, 0);
  expect(clock.isSettled()).toBe(false);
  run(2 * minuteMs, 0);
  expect(clock.isSettled()).toBe(true);
  run(10 * secondMs, hourMs);
  expect(clock.isSettled()).toBe(false);
  run(10 * secondMs, 0);
  expect(clock.isSettled()).toBe(true);
});
