// Formats counts, ratings, changes and shares.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function formatCount(count: number): string {
  return whole.format(count);
}

/** `1.2M`, for axes and narrow columns. */
export function formatShort(count: number): string {
  return short.format(count);
}

/** Stars with two decimals; 0 for a missing rating. */
export function formatStars(average: number): string {
  return average > 0 ? average.toFixed(2) : "–";
}

/** With its sign, and a typographic minus. */
export function formatChange(change: number, decimals = 2): string {
  const text = Math.abs(change).toFixed(decimals);
  if (Number(text) === 0) return `±${text}`;
  return `${change > 0 ? "+" : "−"}${text}`;
}

/** `+11`, `−3`, `±0`. */
export function formatCountChange(change: number): string {
  if (change === 0) return "±0";
  return `${change > 0 ? "+" : "−"}${formatCount(Math.abs(change))}`;
}

/** In percent, from ten times on as a factor. `before` must not be 0. */
export function formatGrowth(before: number, now: number): string {
  const percent = ((now - before) / before) * 100;
  return percent < 1_000
    ? `${formatChange(percent, 0)}%`
    : `×${formatCount(Math.round(now / before))}`;
}

export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return "0%";
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 1 ? "<1%" : `${Math.round(percent)}%`;
}

/** `1 review`, `2 reviews`. */
export function formatQuantity(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `1 hour`, `5 hours`, `3 days`: in the largest unit of which it is at least one. */
export function formatMinutes(minutes: number): string {
  if (minutes >= 1_440) return formatQuantity(Math.round(minutes / 1_440), "day");
  if (minutes >= 60) return formatQuantity(Math.round(minutes / 60), "hour");
  return formatQuantity(minutes, "minute");
}
