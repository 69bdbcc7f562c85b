// The browser's clock. No other file of the dashboard reads it.

export function nowMs(): number {
  return Date.now();
}

/** Today's UTC day as YYYY-MM-DD: the days of all filters are UTC days. */
export function todayUtc(): string {
  return new Date(nowMs()).toISOString().slice(0, 10);
}

/** From one UTC day to a later one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

export function daysBefore(day: string, dayCount: number): string {
  const at = Date.parse(`${day}T00:00:00Z`) - dayCount * 86_400_000;
  return new Date(at).toISOString().slice(0, 10);
}
