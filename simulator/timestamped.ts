// Values with the moment from which they are valid, in milliseconds.

export type Timestamped<T> = { at: number; value: T };

/** The value that is valid at a moment. The list has no order; of two of one moment the later entry wins. */
export function latestAt<T>(
  entries: readonly Timestamped<T>[],
  moment: number,
): Timestamped<T> | null {
  let latest: Timestamped<T> | null = null;
  for (const entry of entries) {
    if (entry.at <= moment && (!latest || entry.at >= latest.at)) latest = entry;
  }
  return latest;
}
