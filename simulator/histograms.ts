// Sums of histograms: counts of 1 to 5 stars.
import type { Histogram } from "../src/domain/review/snapshot.ts";

export const noRatings: Histogram = [0, 0, 0, 0, 0];

export function addHistograms(one: Histogram, other: Histogram): Histogram {
  return [
    one[0] + other[0],
    one[1] + other[1],
    one[2] + other[2],
    one[3] + other[3],
    one[4] + other[4],
  ];
}

/** Average and total of counts of 1 to 5 stars; the average of nothing is 0. */
export function sumUp(histogram: Histogram): { average: number; total: number } {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  const stars = histogram.reduce((sum, count, index) => sum + count * (index + 1), 0);
  return { average: total === 0 ? 0 : stars / total, total };
}
