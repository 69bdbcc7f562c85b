// Background work by its owners: each owner's items one after another, and a few owners at a time, so that none waits for
// all that another one has.

/** More would only wait for the threads of the work pool and for connections. */
const ownersAtATime = 3;

/** @throws what `work` throws; items that are being worked on go on */
export async function forEachByOwner<Item>(
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = linesByOwner(items, ownerOf);
  const workOff = async (): Promise<void> => {
    for (let line = waiting.shift(); line; line = waiting.shift()) {
      for (const item of line) await work(item);
    }
  };
  await Promise.all(Array.from({ length: ownersAtATime }, workOff));
}

/** The items of each owner, in their order. */
export function linesByOwner<Item>(
  items: readonly Item[],
  ownerOf: (item: Item) => string | null,
): Item[][] {
  const lines = new Map<string | null, Item[]>();
  for (const item of items) {
    const line = lines.get(ownerOf(item));
    if (line) line.push(item);
    else lines.set(ownerOf(item), [item]);
  }
  return [...lines.values()];
}
