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

// The two-sided 5 % bound of the normal distribution.
const z = 1.96;
/** Fewer are an anecdote, however rare they were before. */
const countMin = 5;

/**
 * Newcombe's hybrid score interval, which also holds where a share is 0 or 1 (Statistics in Medicine 17, 1998, method 10).
 */
export function differenceOf(first: Share, second: Share): ShareDifference {
  if (first.total === 0 || second.total === 0)
    return { points: 0, low: 0, high: 0, isSignificant: false };
  const [one, other] = [scoreInterval(first), scoreInterval(second)];
  const difference = other.share - one.share;
  const low = difference - Math.hypot(other.share - other.low, one.high - one.share);
  const high = difference + Math.hypot(other.high - other.share, one.share - one.low);
  return {
    points: difference * 100,
    low: low * 100,
    high: high * 100,
    isSignificant: first.count + second.count >= countMin && (low > 0 || high < 0),
  };
}

/** Wilson's interval of one share. */
function scoreInterval({ count, total }: Share): { share: number; low: number; high: number } {
  const share = count / total;
  const centre = (share + z ** 2 / (2 * total)) / (1 + z ** 2 / total);
  const spread =
    (z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))) /
    (1 + z ** 2 / total);
  return { share, low: centre - spread, high: centre + spread };
}
