// The browser's clock. No other file of the dashboard reads it.

let stoppedAtMs: number | null = null;

/** A report in a file says the same whenever it is opened. */
export function stopClock(at: string): void {
  stoppedAtMs = Date.parse(at);
}

export function nowMs(): number {
  return stoppedAtMs ?? Date.now();
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
