// Questions that arrive together share one query: under load a query for each of them costs more than its answer.

/** Of one question; rejects when its query does. */
export type Lookup<Found> = (key: string) => Promise<Found | null>;

type Batch<Found> = { keys: Set<string>; found: Promise<ReadonlyMap<string, Found>> };

/** @param load what is found of the keys, each of which it gets once; it begins after all of them were asked */
export function createBatchedLookup<Found>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): Lookup<Found> {
  let current: Batch<Found> | null = null;

  function startBatch(): Batch<Found> {
    const keys = new Set<string>();
    // Resolves once all requests that arrived together have been read.
    const isComplete = new Promise<void>((resolve) => setImmediate(resolve));
    const found = isComplete.then(() => {
      current = null;
      return load([...keys]);
    });
    return { keys, found };
  }

  return async (key) => {
    current ??= startBatch();
    current.keys.add(key);
    const found = await current.found;
    return found.get(key) ?? null;
  };
}
