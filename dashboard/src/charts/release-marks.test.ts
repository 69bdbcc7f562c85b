// The line of each release is inside of the bar that contains its day, for each range that the picker offers, and crowded
// lines and names are thinned by importance.
import { describe, expect, test } from "vitest";
import { daysBefore } from "../format/clock.ts";
import { axisWidth } from "./axis-labels.ts";
import { type AxisPeriod, type ChartMark, dayX, middleOf, placeMarks } from "./release-marks.ts";

const addDays = (day: string, days: number): string => daysBefore(day, -days);
const mondayOf = (day: string): string => daysBefore(day, (new Date(day).getUTCDay() + 6) % 7);
const width = 700;
const byDayMax = 31;

/** As the overview has them: days of a short range, else weeks, the first and the last of which it cuts. */
function listPeriods(from: string, to: string): AxisPeriod[] {
  const isByDay = addDays(from, byDayMax) > to;
  const [first, days] = isByDay ? [from, 1] : [mondayOf(from), 7];
  const periods: AxisPeriod[] = [];
  for (let day = first; day <= to; day = addDays(day, days))
    periods.push({ day, lastDay: addDays(day, days - 1) });
  return periods;
}

describe.each([7, 14, 30, 90, 365])("in the last %i days", (dayCount) => {
  // Each weekday is the last one once.
  test.each([0, 1, 2, 3, 4, 5, 6])("each day is inside of its bar, up to day %i", (weekday) => {
    const to = addDays("2026-11-23", weekday);
    const from = addDays(to, 1 - dayCount);
    const periods = listPeriods(from, to);
    const step = (width - axisWidth) / periods.length;
    for (let day = from; day <= to; day = addDays(day, 1)) {
      const x = dayX(day, { periods, width }) ?? Number.NaN;
      const bar = periods[Math.floor((x - axisWidth) / step)];
      expect([day, bar && bar.day <= day && day <= bar.lastDay]).toEqual([day, true]);
    }
    expect(dayX(addDays(periods[0]?.day ?? "", -1), { periods, width })).toBeNull();
    expect(dayX(addDays(to, 8), { periods, width })).toBeNull();
  });

  test("the point of a line is in the middle of its bar", () => {
    const periods = listPeriods(addDays("2026-11-26", 1 - dayCount), "2026-11-26");
    const step = (width - axisWidth) / periods.length;
    for (const [index, period] of periods.entries()) {
      const middle = new Date(middleOf(period)).toISOString().slice(0, 10);
      const x = dayX(middle, { periods, width }) ?? 0;
      expect(Math.abs(x - (axisWidth + (index + 0.5) * step))).toBeLessThanOrEqual(step / 2);
    }
  });
});

const mark = (day: string, weight: number): ChartMark => ({
  ...{ day, weight, label: `4.${day.slice(-2)}.0`, to: "/release" },
});

test("among crowded releases the most important one has its line and its name", () => {
  const periods = listPeriods("2026-08-25", "2026-11-22");
  const days = Array.from({ length: 90 }, (_, index) => addDays("2026-08-25", index));
  for (const worse of days) {
    const marks = days.map((day, index) => mark(day, day === worse ? 1_000 : index));
    const placed = placeMarks(marks, { periods, width, rowCount: 1 });
    expect(placed[0]?.mark.day).toBe(worse);
    expect(placed[0]?.name).not.toBeNull();
    const lines = placed.map(({ x }) => x).sort((one, other) => one - other);
    for (const [index, x] of lines.entries())
      expect(x - (lines[index - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(5);
  }
});

test("two releases at the right edge are both named, in one row", () => {
  const periods = listPeriods("2026-10-30", "2026-11-28");
  const marks = [mark("2026-11-20", 2), mark("2026-11-27", 1)];
  const placed = placeMarks(marks, { periods, width, rowCount: 1 });
  expect(placed.map(({ name }) => name !== null)).toEqual([true, true]);
  for (const {
    name,
    mark: { label },
  } of placed)
    expect((name?.x ?? 0) + label.length * 6.2).toBeLessThanOrEqual(width);
});
