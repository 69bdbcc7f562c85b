// A line over time. The code that draws it is loaded when it is first needed; a placeholder keeps its place.
import { lateComponent } from "../components/late.tsx";
import type { TimeSeriesChartProps } from "./time-series.ts";

export const TimeSeriesChart = lateComponent<"UplotChart", TimeSeriesChartProps>(
  () => import("./uplot-chart.tsx"),
  { name: "UplotChart", height: 244 },
);
