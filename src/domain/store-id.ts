// The stores that Starpost knows, by their public identifiers.

export const storeIds = ["appstore", "googleplay"] as const;
export type StoreId = (typeof storeIds)[number];

export function isStoreId(text: string): text is StoreId {
  return (storeIds as readonly string[]).includes(text);
}
