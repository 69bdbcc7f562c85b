// Where the time axes of all charts have their labels, so that charts above each other show the same days.

/** The width of the labels of the vertical axis, in pixels. */
export const axisWidth = 40;

const labelSpacing = 72;

/** The step between labels for a number of bars or points. */
export function labelledEvery(count: number, chartWidth: number): number {
  const step = (chartWidth - axisWidth) / Math.max(1, count);
  return Math.max(1, Math.ceil(labelSpacing / step));
}

/** The average width of a character in the axis's font. */
export const characterWidth = 6.2;

/** The next round number whose half is a whole number too. */
export function niceCeiling(value: number): number {
  if (value <= 10) return 2 * Math.ceil(value / 2);
  const power = 10 ** Math.floor(Math.log10(value));
  const factors = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8];
  return (factors.find((factor) => factor * power >= value) ?? 10) * power;
}
