// Where days and releases are on the time axis of a chart, the same in charts of bars and of lines: each period has the same
// width, and a release is inside of the period that contains its day.
import { axisWidth, characterWidth } from "./axis-labels.ts";

/** A release: a dashed line with its name, which leads to its page. */
export type ChartMark = {
  day: string;
  label: string;
  to: string;
  /** Marks with more are drawn and named before others that crowd them. */
  weight: number;
};

/** A day or a week as a whole, also where only a part of it is shown: YYYY-MM-DD, both inclusive. */
export type AxisPeriod = { day: string; lastDay: string };

export type PlacedMark = {
  mark: ChartMark;
  /** Where its line is, in pixels from the left edge of the chart. */
  x: number;
  /** null where it doesn't fit. */
  name: { x: number; row: number } | null;
};

const dayMs = 86_400_000;
/** Lines that are closer can't be told apart. */
const lineGap = 5;
const nameGap = 8;

/** The middle of a day on the axis, in pixels; null outside of it. */
export function dayX(
  day: string,
  axis: { periods: readonly AxisPeriod[]; width: number },
): number | null {
  const { periods, width } = axis;
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last || day < first.day || day > last.lastDay) return null;
  const from = Date.parse(first.day);
  const share = (Date.parse(day) + dayMs / 2 - from) / (Date.parse(last.lastDay) + dayMs - from);
  return axisWidth + share * (width - axisWidth);
}

/** The middle of a period, in milliseconds since 1970. */
export function middleOf({ day, lastDay }: AxisPeriod): number {
  return (Date.parse(day) + Date.parse(lastDay) + dayMs) / 2;
}

/** Lines and names by importance: what doesn't fit beside a more important one is left out. */
export function placeMarks(
  marks: readonly ChartMark[],
  axis: { periods: readonly AxisPeriod[]; width: number; rowCount: number },
): PlacedMark[] {
  const { width, rowCount } = axis;
  const placed: PlacedMark[] = [];
  const names: { from: number; to: number; row: number }[] = [];
  const order = marks.toSorted(
    (one, other) => other.weight - one.weight || (one.day < other.day ? 1 : -1),
  );
  for (const mark of order) {
    const x = dayX(mark.day, axis);
    if (x === null || placed.some((one) => Math.abs(one.x - x) < lineGap)) continue;
    const nameWidth = mark.label.length * characterWidth;
    // Right of its line, or left of it at the edge and beside another name.
    const starts = [Math.min(x, width - nameWidth), x - nameWidth].filter(
      (at) => at >= axisWidth / 2,
    );
    const free = starts
      .flatMap((at) => Array.from({ length: rowCount }, (_, row) => ({ x: at, row })))
      .find(({ x: at, row }) =>
        names.every(
          (one) =>
            one.row !== row || at + nameWidth + nameGap <= one.from || at >= one.to + nameGap,
        ),
      );
    if (free) names.push({ from: free.x, to: free.x + nameWidth, row: free.row });
    placed.push({ mark, x, name: free ?? null });
  }
  return placed;
}
