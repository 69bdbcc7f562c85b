// A line over time. The drawing is fetched when it is first needed; until then its place is held.
import { lazy, Suspense } from "react";
import { Skeleton } from "../components/feedback.tsx";

export type LinePoint = {
  /** YYYY-MM-DD, a UTC day. */
  day: string;
  /** null leaves a gap that the line crosses. */
  value: number | null;
  /** Where "on that day" is not the whole truth, e.g. a week. */
  label?: string;
  note?: string;
  to?: string;
};

export type LineChartProps = {
  points: readonly LinePoint[];
  marks: readonly { day: string; label: string }[];
  range: [number, number];
  colour: string;
  height: number;
  format: (value: number) => string;
};

const TimePlot = lazy(async () => ({ default: (await import("./uplot-chart.tsx")).TimePlot }));

export function LineChart(props: LineChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <TimePlot {...props} />
    </Suspense>
  );
}
