// The part of the star scale that a chart shows: close enough to its values that a small change is visible,
// with a margin so that noise does not fill the chart.

/** The lower and upper end in stars, between 1 and 5 in steps of 0.1. `margin` is in stars too. */
export function ratingAxis(values: readonly number[], margin: number): [number, number] {
  if (values.length === 0) return [1, 5];
  const low = Math.floor((Math.min(...values) - margin) * 10) / 10;
  const high = Math.ceil((Math.max(...values) + margin) * 10) / 10;
  return [Math.max(1, low), Math.min(5, high)];
}
