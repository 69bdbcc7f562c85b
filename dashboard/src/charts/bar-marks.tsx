// Releases in a chart of bars: a dashed line on the day on which each was first seen, and its name if there is room.
import { Link, useIsShared } from "../components/link.tsx";
import styles from "./charts.module.css";
import { type AxisPeriod, type ChartMark, placeMarks } from "./release-marks.ts";

type BarMarksProps = {
  marks: readonly ChartMark[];
  periods: readonly AxisPeriod[];
  size: { width: number; top: number; bottom: number };
};

export function BarMarks({ marks, periods, size }: BarMarksProps) {
  const { width, top, bottom } = size;
  const isShared = useIsShared();
  return placeMarks(marks, { periods, width, rowCount: 1 }).map(({ mark, x, name }) => {
    const { day, label, to } = mark;
    const text = name ? (
      <text className={styles.axis} x={name.x} y={top - 4}>
        {label}
      </text>
    ) : null;
    // SVG shows no text of HTML, which a link of a shared page is.
    const linked =
      isShared || text === null ? (
        text
      ) : (
        <Link href={to} className={styles.markName} tabIndex={-1}>
          {text}
        </Link>
      );
    return (
      <g key={`${day} ${label}`} data-release={day}>
        <line className={styles.mark} x1={x} x2={x} y1={top} y2={bottom} pointerEvents="none" />
        {linked}
      </g>
    );
  });
}
