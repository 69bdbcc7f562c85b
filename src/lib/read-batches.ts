// Reads a long list batch by batch, each when the one before it was handled.

/** @param read returns the items that follow `last`, at most `limit`; the first ones for null */
export async function* readBatches<Item>(
  limit: number,
  read: (last: Item | null) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let last: Item | null = null;
  do {
    const items: Item[] = await read(last);
    yield items;
    last = items.length < limit ? null : (items.at(-1) ?? null);
  } while (last !== null);
}
