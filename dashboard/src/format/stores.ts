// The stores, and how they differ on the pages. A comparison with one store's id belongs here: a new store is one more entry.
import type { FollowedApp } from "../../../src/dashboard-api/contract/apps.ts";

export type StoreId = FollowedApp["store"];

const stores: Readonly<
  Record<StoreId, { name: string; account: string; colour: string; isReadByLanguage: boolean }>
> = {
  appstore: {
    name: "App Store",
    account: "App Store Connect",
    colour: "var(--chart-appstore)",
    isReadByLanguage: false,
  },
  googleplay: {
    name: "Google Play",
    account: "Google Play Console",
    colour: "var(--chart-googleplay)",
    isReadByLanguage: true,
  },
};

export const storeIds = Object.keys(stores) as StoreId[];

const find = (store: string) => (store in stores ? stores[store as StoreId] : undefined);

export const storeName = (store: string): string => find(store)?.name ?? store;
export const accountName = (store: StoreId): string => stores[store].account;
export const storeColour = (store: StoreId): string => stores[store].colour;

/** Whether its reviews are read by language, and so have no country. */
export const isReadByLanguage = (store: string): boolean => find(store)?.isReadByLanguage ?? false;

/** The names for what its reviews are read by. */
export const readingUnit = (store: StoreId): string =>
  isReadByLanguage(store) ? "languages" : "storefronts";
