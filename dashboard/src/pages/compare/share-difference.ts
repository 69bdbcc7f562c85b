// The difference between two shares, and whether it is significant.

type Share = { count: number; total: number };

export type ShareDifference = {
  /** Percentage points, from unrounded shares. */
  points: number;
  /** Half of the 95 % interval around them, in percentage points. */
  margin: number;
  /** Whether chance alone would make such a difference in less than one case of twenty. */
  isSignificant: boolean;
};

// The two-sided 5 % bound of the normal distribution.
const significantZ = 1.96;

/** The second share minus the first; a two-proportion z-test with the pooled share. */
export function differenceOf(first: Share, second: Share): ShareDifference {
  if (first.total === 0 || second.total === 0)
    return { points: 0, margin: 0, isSignificant: false };
  const difference = second.count / second.total - first.count / first.total;
  const pooled = (first.count + second.count) / (first.total + second.total);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / first.total + 1 / second.total));
  const varianceOf = ({ count, total }: Share) => ((count / total) * (1 - count / total)) / total;
  return {
    points: difference * 100,
    margin: significantZ * Math.sqrt(varianceOf(first) + varianceOf(second)) * 100,
    isSignificant: error > 0 && Math.abs(difference) / error >= significantZ,
  };
}

/** Whether the averages of two counts of 1 to 5 stars differ by more than chance makes of so many reviews. */
export function differsInStars(first: readonly number[], second: readonly number[]): boolean {
  const [one, other] = [first, second].map((stars) => {
    const total = stars.reduce((sum, count) => sum + count, 0);
    const mean = stars.reduce((sum, count, index) => sum + count * (index + 1), 0) / total;
    const squares = stars.reduce((sum, count, index) => sum + count * (index + 1 - mean) ** 2, 0);
    return { total, mean, variance: squares / Math.max(1, total - 1) / total };
  });
  if (!one || !other || one.total < 2 || other.total < 2) return false;
  const error = Math.sqrt(one.variance + other.variance);
  return Math.abs(other.mean - one.mean) > significantZ * error;
}
