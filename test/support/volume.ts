// How much tests try of random cases and of many combinations: a fifth in `npm test`, all in CI, which sets TEST_VOLUME=1.

const factor = Number(process.env["TEST_VOLUME"] ?? 0.2);

export function volume(count: number): number {
  return Math.ceil(count * factor);
}

/** A part of a list that begins elsewhere in each turn, so that over many turns each item is used. */
export function takeTurn<Item>(list: readonly Item[], turn: number): Item[] {
  const count = volume(list.length);
  const start = (turn * count) % list.length;
  return [...list, ...list].slice(start, start + count);
}
