// The curve of evidence after each review, on a scale of powers of ten: a verdict is reached at the dashed line.
import type { Verdict } from "../../../../src/dashboard-api/contract/overview.ts";
import { formatQuantity } from "../../format/numbers.ts";
import styles from "./verdict.module.css";

const [width, height] = [240, 44];
/** Evidence from 0.05 to 2,000. */
const [low, high] = [Math.log10(0.05), Math.log10(2_000)];
const threshold = 20;

export function EvidenceCurve({ verdict: { evidence, reviewCount } }: { verdict: Verdict }) {
  if (evidence.length === 0) return null;
  const x = (count: number): number => (count / reviewCount) * width;
  const y = (value: number): number => {
    const part = (Math.log10(Math.max(value, 1e-9)) - low) / (high - low);
    return height - Math.min(1, Math.max(0, part)) * height;
  };
  const line = (side: "worse" | "fine"): string =>
    [`0,${y(1)}`, ...evidence.map((one) => `${x(one.reviewCount)},${y(one[side])}`)].join(" ");
  const last = evidence.at(-1);
  const label = `Evidence after ${formatQuantity(reviewCount, "review")}: worse ${last?.worse}, fine ${last?.fine}; ${threshold} decides`;
  return (
    <figure className={styles.curve}>
      <svg
        viewBox={`0 -2 ${width} ${height + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <title>{label}</title>
        <line x1={0} x2={width} y1={y(threshold)} y2={y(threshold)} className={styles.threshold} />
        <polyline points={line("fine")} className={styles.fine} />
        <polyline points={line("worse")} className={styles.worse} />
      </svg>
      <figcaption className={styles.faint}>
        <span className={styles.worseKey}>worse</span> <span className={styles.fineKey}>fine</span>{" "}
        over {formatQuantity(reviewCount, "review")}
      </figcaption>
    </figure>
  );
}
