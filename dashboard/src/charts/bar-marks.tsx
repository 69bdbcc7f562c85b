// Releases in a bar chart of weeks: a dashed line where each was first seen, and its name if there is room.

import { Link, useIsShared } from "../components/link.tsx";
import { axisWidth, characterWidth } from "./axis-labels.ts";
import styles from "./charts.module.css";
import type { ChartMark } from "./time-series-chart.tsx";

type BarMarksProps = {
  marks: readonly ChartMark[];
  /** The week of the first bar, YYYY-MM-DD. */
  firstWeek: string;
  /** The width of a week. */
  step: number;
  size: { width: number; top: number; bottom: number };
};

const weekMs = 7 * 86_400_000;

export function BarMarks({ marks, firstWeek, step, size }: BarMarksProps) {
  const { width, top, bottom } = size;
  const isShared = useIsShared();
  // The newest first: where names don't fit, older ones are left out.
  let namedFrom = width + characterWidth;
  return marks.toReversed().map(({ day, label, to }) => {
    const x = axisWidth + ((Date.parse(day) - Date.parse(firstWeek)) / weekMs) * step;
    if (x < axisWidth || x > width) return null;
    const labelWidth = label.length * characterWidth;
    const start = Math.min(x, width - labelWidth);
    const isNamed = start + labelWidth + 8 <= namedFrom + characterWidth;
    if (isNamed) namedFrom = start;
    const name = (
      <text className={styles.axis} x={start} y={top - 4}>
        {label}
      </text>
    );
    // SVG shows no text of HTML, which a link of a shared page is.
    const linked = isShared ? (
      name
    ) : (
      <Link href={to} className={styles.markName} tabIndex={-1}>
        {name}
      </Link>
    );
    return (
      <g key={`${day} ${label}`}>
        <line className={styles.mark} x1={x} x2={x} y1={top} y2={bottom} pointerEvents="none" />
        {isNamed ? linked : null}
      </g>
    );
  });
}
