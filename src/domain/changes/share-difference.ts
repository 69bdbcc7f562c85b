// The difference between two shares with its 95 % interval: the one method by which the service and its pages say that two
// shares differ. Pure: the pages import it, too.

export type Share = { count: number; total: number };

export type ShareDifference = {
  /** Percentage points, from unrounded shares: the second minus the first. */
  points: number;
  /** The 95 % interval around them, in percentage points. */
  low: number;
  high: number;
  /** The interval excludes 0, and both sides together have at least five reviews with the property. */
  isSignificant: boolean;
};

/** The two-sided 5 % bound of the normal distribution. */
const usualZ = 1.96;
/** Fewer are an anecdote, however rare they were before. */
const countMin = 5;

export function differenceOf(first: Share, second: Share): ShareDifference {
  const { points, low, high } = intervalOf({ first, second });
  const isSignificant = first.count + second.count >= countMin && (low > 0 || high < 0);
  return { points, low, high, isSignificant };
}

/**
 * Newcombe's hybrid score interval, which also holds where a share is 0 or 1 (Statistics in Medicine 17, 1998, method 10);
 * zeros without reviews on one side.
 *
 * @param of.z the bound of the normal distribution; of 95 % by default
 */
export function intervalOf(of: { first: Share; second: Share; z?: number }): {
  points: number;
  low: number;
  high: number;
} {
  const { first, second, z = usualZ } = of;
  if (first.total === 0 || second.total === 0) return { points: 0, low: 0, high: 0 };
  const [one, other] = [scoreInterval(first, z), scoreInterval(second, z)];
  const difference = other.share - one.share;
  const low = difference - Math.hypot(other.share - other.low, one.high - one.share);
  const high = difference + Math.hypot(other.high - other.share, one.share - one.low);
  return { points: difference * 100, low: low * 100, high: high * 100 };
}

/** Wilson's interval of one share. */
function scoreInterval(
  { count, total }: Share,
  z: number,
): { share: number; low: number; high: number } {
  const share = count / total;
  const centre = (share + z ** 2 / (2 * total)) / (1 + z ** 2 / total);
  const spread =
    (z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))) /
    (1 + z ** 2 / total);
  return { share, low: centre - spread, high: centre + spread };
}
