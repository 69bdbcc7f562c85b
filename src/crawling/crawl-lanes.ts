// How many crawls a worker runs at once, and of what: each store's hosts have slots of their own, and long
// crawls leave some to short ones, so that neither a large app nor a store that hangs holds the others.
import { type StoreId, storeIds } from "../domain/store-id.ts";

export type CrawlLane = {
  name: string;
  store: StoreId;
  isOfficial: boolean;
  isLong: boolean;
  limit: number;
};

// A host gets one request at a time anyway: more crawls at once would only wait for each other.
const shortCrawlCountMax = 3;
const longCrawlCountMax = 2;

/** All lanes with the slots that are free. @param running how many crawls each lane has by its name */
export function freeLanes(running: ReadonlyMap<string, number>): CrawlLane[] {
  return storeIds
    .flatMap((store) =>
      [false, true].flatMap((isOfficial) =>
        [false, true].map((isLong) => {
          const name = [store, isOfficial ? "official" : "public", isLong ? "long" : "short"].join(
            " ",
          );
          const countMax = isLong ? longCrawlCountMax : shortCrawlCountMax;
          return { name, store, isOfficial, isLong, limit: countMax - (running.get(name) ?? 0) };
        }),
      ),
    )
    .filter(({ limit }) => limit > 0);
}
