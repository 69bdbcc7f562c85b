// Background work by its owners: each owner's items one after another, and a few owners at a time, so that none waits for
// all that another one has.
import { groupBy } from "./group-by.ts";

/** More would only wait for the threads of the work pool and for connections. */
const ownersAtATime = 3;

/** @throws what `work` throws; items that are being worked on go on */
export async function forEachByOwner<Item>(
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...groupBy(items, ownerOf).values()];
  const workOff = async (): Promise<void> => {
    for (let line = waiting.shift(); line; line = waiting.shift()) {
      for (const item of line) await work(item);
    }
  };
  await Promise.all(Array.from({ length: ownersAtATime }, workOff));
}
