// A seeded generator of random numbers: the same seed gives the same data on every machine.

export type Random = {
  /** In [0, 1). */
  next(): number;
  /** An integer from min to max, both included. */
  whole(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Picks an item with a probability proportional to its weight. */
  weighted<T>(items: readonly { item: T; weight: number }[]): T;
  chance(probability: number): boolean;
};

/** Mulberry32: 32 bits of state are enough for invented reviews. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    pick: (items) => itemAt(items, whole(0, items.length - 1)),
    weighted: (items) => pickWeighted(items, next()),
    chance: (probability) => next() < probability,
  };
}

function pickWeighted<T>(items: readonly { item: T; weight: number }[], position: number): T {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  let left = position * total;
  for (const { item, weight } of items) {
    left -= weight;
    if (left < 0) return item;
  }
  return itemAt(items, items.length - 1).item;
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}
