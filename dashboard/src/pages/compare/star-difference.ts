// Whether two averages of stars differ.

// The two-sided 5 % bound of the normal distribution.
const significantZ = 1.96;

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
