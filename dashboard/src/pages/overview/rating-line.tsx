// A small line of an app's store rating over the date range; its own axis, because what matters is which one moves.
import type { OverviewApp } from "../../../../src/dashboard-api/contract/overview.ts";
import styles from "./overview.module.css";
import { ratingAxis } from "./rating-axis.ts";

const width = 96;
const height = 24;
const inset = 2;

export function RatingLine(props: { app: OverviewApp; range: { from: string; to: string } }) {
  const { app, range } = props;
  if (app.ratingDays.length < 2) return null;
  const averages = app.ratingDays.map(({ average }) => average);
  const [low, high] = ratingAxis(averages, 0.1);
  const [first, last] = [Date.parse(range.from), Date.parse(range.to)];
  const points = app.ratingDays.map(({ day, average }) => {
    const x = inset + ((Date.parse(day) - first) / Math.max(1, last - first)) * (width - 2 * inset);
    const y = inset + ((high - average) / (high - low)) * (height - 2 * inset);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const label = `Store rating between ${low.toFixed(2)} and ${high.toFixed(2)} stars`;
  return (
    <svg
      className={styles.ratingLine}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <polyline points={points.join(" ")} />
    </svg>
  );
}
