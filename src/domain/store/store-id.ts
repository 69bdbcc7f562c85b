// The stores that Starpost knows, by their public identifiers.
import { z } from "zod";

export const storeIds = ["appstore", "googleplay", "firefoxaddons"] as const;
export type StoreId = (typeof storeIds)[number];

export const storeSchema = z
  .enum(storeIds)
  .meta({ id: "Store", description: "The store an app is sold in.", example: "appstore" });

/** A table with an entry for each store. */
export function ofEachStore<Entry>(make: (store: StoreId) => Entry): Record<StoreId, Entry> {
  const entries = storeIds.map((store) => [store, make(store)]);
  return Object.fromEntries(entries) as Record<StoreId, Entry>;
}

export function isStoreId(text: string): text is StoreId {
  return (storeIds as readonly string[]).includes(text);
}
