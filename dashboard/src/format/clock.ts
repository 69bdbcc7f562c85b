// The browser's clock. No other file of the dashboard reads it.

export function nowMs(): number {
  return Date.now();
}

/** Today's UTC day as YYYY-MM-DD: the days of all filters are UTC days. */
export function todayUtc(): string {
  return new Date(nowMs()).toISOString().slice(0, 10);
}

export function daysBefore(day: string, dayCount: number): string {
  const at = Date.parse(`${day}T00:00:00Z`) - dayCount * 86_400_000;
  return new Date(at).toISOString().slice(0, 10);
}
