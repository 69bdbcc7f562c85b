// The points and marks of a line over time, without the code that draws it.
import type { ChartMark } from "./release-marks.ts";

type TimeSeriesPoint = {
  /** YYYY-MM-DD, a UTC day. */
  day: string;
  /** The end of the period that it is about; the same day without one. */
  lastDay?: string;
  /** Not all of its days are in: the line to it is dashed, if it is the last one. */
  isPartial?: boolean;
  /** null: nothing was measured; the line goes on to the next value. */
  value: number | null;
  /** Instead of the day, e.g. for a point that represents a week. */
  label?: string;
  note?: string;
  to?: string;
};

export type TimeSeriesChartProps = {
  points: readonly TimeSeriesPoint[];
  marks: readonly ChartMark[];
  /** The range of the y axis. */
  range: [number, number];
  /** Any CSS colour; variables too. */
  colour: string;
  /** In pixels. */
  height: number;
  format: (value: number) => string;
};
