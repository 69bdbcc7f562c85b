// Releases in a bar chart of weeks: a dashed line where each was first seen, and its name if there is room.

import { axisWidth } from "./axis-labels.ts";
import styles from "./charts.module.css";
import type { ChartMark } from "./time-series-chart.tsx";

type BarMarksProps = {
  marks: readonly ChartMark[];
  /** Of the first bar, YYYY-MM-DD. */
  firstWeek: string;
  /** The width of a week. */
  step: number;
  size: { width: number; top: number; bottom: number };
};

const weekMs = 7 * 86_400_000;
/** Of a character of the axis's font, on average. */
const characterWidth = 6.2;

export function BarMarks({ marks, firstWeek, step, size }: BarMarksProps) {
  const { width, top, bottom } = size;
  let namedUntil = axisWidth;
  return marks.map(({ day, label }) => {
    const x = axisWidth + ((Date.parse(day) - Date.parse(firstWeek)) / weekMs) * step;
    if (x < axisWidth || x > width) return null;
    const labelWidth = label.length * characterWidth;
    const start = Math.min(x, width - labelWidth);
    const isNamed = start >= namedUntil;
    if (isNamed) namedUntil = start + labelWidth + 8;
    return (
      <g key={`${day} ${label}`} pointerEvents="none">
        <line className={styles.mark} x1={x} x2={x} y1={top} y2={bottom} />
        {isNamed ? (
          <text className={styles.axis} x={start} y={top - 4}>
            {label}
          </text>
        ) : null}
      </g>
    );
  });
}
