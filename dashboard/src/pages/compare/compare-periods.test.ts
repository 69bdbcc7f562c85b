import fc from "fast-check";
import { expect, test } from "vitest";
import { daysBefore } from "../../format/clock.ts";
import { toPeriods } from "./compare-periods.ts";

const today = "2026-11-30";
const on = (day: string, count: number, stars = 3 * count, negative = 0) => ({
  ...{ day, count, stars, negative },
});

test("two months side by side are on one axis, and a cut week counts by its days", () => {
  const { unit, periods } = toPeriods(
    {
      a: {
        filters: { from: "2026-10-02", to: "2026-10-31" },
        days: [on("2026-10-02", 6, 30), on("2026-10-31", 12)],
      },
      b: {
        filters: { range: "30d" },
        days: [on("2026-11-01", 3, 3, 3), on("2026-11-30", 2, 7, 1)],
      },
    },
    today,
  );
  expect([unit, periods.length, periods[0]?.from]).toEqual(["week", 10, "2026-09-28"]);
  // Six days of this week are in October, and one is in November: its reviews are counted, without a rate.
  expect(periods[0]).toMatchObject({
    a: { count: 6, perDay: null, stars: 5, negative: 0 },
    b: { count: 0, perDay: null, stars: null },
  });
  expect(periods[4]).toMatchObject({
    ...{ from: "2026-10-26", to: "2026-11-01" },
    a: { count: 12, perDay: 2 },
    b: { count: 3, perDay: null, stars: 1, negative: 1 },
  });
  expect(periods[5]).toMatchObject({ a: { perDay: null }, b: { perDay: 0, stars: null } });
  expect(periods.at(-1)).toMatchObject({ to: "2026-12-06", b: { perDay: null, negative: 0.5 } });
});

test("sides without reviews have no axis, and years are months", () => {
  const empty = { filters: {}, days: [] };
  expect(toPeriods({ a: empty, b: empty }, today).periods).toEqual([]);
  const old = { filters: {}, days: [on("2024-02-10", 4)] };
  const { unit, periods } = toPeriods({ a: old, b: empty }, today);
  expect([unit, periods.length, periods[0]?.from]).toEqual(["month", 34, "2024-02-01"]);
});

test("each review of a side is in one period, whatever its dates", () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 900 }), { maxLength: 40 });
  fc.assert(
    fc.property(days, days, (first, second) => {
      const side = (offsets: readonly number[]) => ({
        filters: {},
        days: offsets.map((offset) => on(daysBefore(today, offset), offset + 1)),
      });
      const both = { a: side(first), b: side(second) };
      const { periods } = toPeriods(both, today);
      for (const key of ["a", "b"] as const) {
        const inPeriods = periods.reduce((sum, period) => sum + period[key].count, 0);
        const all = both[key].days.reduce((sum, { count }) => sum + count, 0);
        expect(inPeriods).toBe(all);
      }
      for (const [index, { from }] of periods.entries()) {
        if (index > 0) expect(from).toBe(daysBefore(periods[index - 1]?.to ?? "", -1));
      }
    }),
  );
});
