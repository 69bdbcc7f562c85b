// The box beside the pointer that shows the values of the bar or point under it.
import type { ReactNode } from "react";
import styles from "./charts.module.css";

// In pixels; wide enough for most tooltips.
const tooltipWidth = 172;

type ChartTooltipProps = {
  /** Where the pointer is, in pixels from the chart's left edge. */
  x: number;
  chartWidth: number;
  children: ReactNode;
};

export function ChartTooltip({ x, chartWidth, children }: ChartTooltipProps) {
  return (
    <div
      className={styles.tooltip}
      style={{ left: Math.max(0, Math.min(x + 12, chartWidth - tooltipWidth)) }}
    >
      {children}
    </div>
  );
}
