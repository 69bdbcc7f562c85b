// Facts with the moment from which they hold.

export type Timestamped<T> = { at: number; value: T };

/** The fact that holds at a moment. Facts stand in no order; of two of one moment the later counts. */
export function latestAt<T>(
  facts: readonly Timestamped<T>[],
  moment: number,
): Timestamped<T> | null {
  let latest: Timestamped<T> | null = null;
  for (const fact of facts) {
    if (fact.at <= moment && (!latest || fact.at >= latest.at)) latest = fact;
  }
  return latest;
}
