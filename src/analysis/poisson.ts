// How surprising a count is. Source of the test: the upper tail of a Poisson distribution, made cautious for
// counts that vary more than by chance (quasi-Poisson).

/** Fewer are never a spike, however rare they were: one angry day of five people is the least to report. */
export const spikeCountMin = 5;
/** About one false alarm in ten thousand comparisons; a digest makes some sixty. */
export const probabilityMax = 1e-4;
/** Subjects never seen before are still expected at this rate. */
const expectedMin = 0.5;

/** The probability of `count` or more where `expected` is the mean. */
export function tailProbability(count: number, expected: number): number {
  if (count <= 0) return 1;
  // The sum of the terms from `count` on, relative to the first of them; they fall geometrically.
  if (count <= expected) return 1;
  let term = 1;
  let sum = 1;
  for (let step = 1; term > 1e-12 && step < termsMax; step += 1) {
    term *= expected / (count + step);
    sum += term;
  }
  return Math.min(1, Math.exp(count * Math.log(expected) - expected - logFactorial(count)) * sum);
}

// The loop ends long before; only counts near the mean need many terms.
const termsMax = 10_000;

/**
 * The probability of a count when `perDay` are the counts of the days before, scaled to the same number of
 * days. Days that vary more than by chance make it less surprising.
 */
export function surprise(input: {
  count: number;
  expected: number;
  perDay: readonly number[];
}): number {
  const expected = Math.max(input.expected, expectedMin);
  if (input.count < spikeCountMin || input.count <= expected) return 1;
  const dispersion = Math.max(1, dispersionOf(input.perDay));
  return tailProbability(Math.floor(input.count / dispersion), expected / dispersion);
}

/** Variance over mean: 1 where events come by chance alone. */
function dispersionOf(counts: readonly number[]): number {
  const mean = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
  if (mean === 0 || counts.length < 2) return 1;
  const squares = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0);
  return squares / (counts.length - 1) / mean;
}

/** Stirling's series, exact to eight digits from 10 on; a product below. */
export function logFactorial(count: number): number {
  if (count < 10) {
    let product = 1;
    for (let factor = 2; factor <= count; factor += 1) product *= factor;
    return Math.log(product);
  }
  const inverse = 1 / count;
  return (
    count * Math.log(count) -
    count +
    0.5 * Math.log(2 * Math.PI * count) +
    inverse / 12 -
    inverse ** 3 / 360
  );
}
