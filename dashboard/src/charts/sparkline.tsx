// A small line without axes, which shows the direction of a number beside it. Readers of screens get the number alone.
import styles from "./charts.module.css";

const width = 96;
const height = 28;
const edge = 2;

type SparklineProps = {
  /** null where there is none. */
  values: readonly (number | null)[];
  /** The difference that is at least the whole height, so that nothing small looks like a fall. */
  spanMin?: number;
};

/** Nothing with fewer than three points. */
export function Sparkline({ values, spanMin = 0 }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  if (known.length < 3) return null;
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const span = Math.max(highest - lowest, spanMin) || 1;
  const least = (lowest + highest - span) / 2;
  const step = (width - 2 * edge) / (values.length - 1);
  const points = values.flatMap((value, index) => {
    if (value === null) return [];
    const y = height - edge - ((value - least) / span) * (height - 2 * edge);
    return [`${(edge + index * step).toFixed(1)},${y.toFixed(1)}`];
  });
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polyline points={points.join(" ")} />
    </svg>
  );
}
