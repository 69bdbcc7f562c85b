// Maps that forget their oldest entry, so that no key of a stranger makes them grow without end.

/** Puts the entry last; of more than `countMax` the first one goes. */
export function keepRecent<Key, Value>(
  map: Map<Key, Value>,
  { key, value, countMax }: { key: Key; value: Value; countMax: number },
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= countMax) return;
    map.delete(oldest);
  }
}
