// The stretch of the star scale that a chart shows: some room around what is there, so that a small change
// is seen and noise is not blown up.

/** `margin` in stars; between 1 and 5 and in whole tenths. */
export function starsAround(values: readonly number[], margin: number): [number, number] {
  if (values.length === 0) return [1, 5];
  const low = Math.floor((Math.min(...values) - margin) * 10) / 10;
  const high = Math.ceil((Math.max(...values) + margin) * 10) / 10;
  return [Math.max(1, low), Math.min(5, high)];
}
