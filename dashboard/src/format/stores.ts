// The stores, and how they differ on the pages. A comparison with one store's id belongs here: a new store is one more entry.
import type { FollowedApp } from "../../../src/dashboard-api/contract/apps.ts";

export type StoreId = FollowedApp["store"];

type StoreTraits = {
  name: string;
  /** For sentences. */
  nameInText: string;
  isReadByLanguage: boolean;
  /** Else it has one list for the whole world. */
  hasStorefronts: boolean;
};

/** In the order of their colours in charts. */
const stores: Readonly<Record<StoreId, StoreTraits>> = {
  appstore: {
    name: "App Store",
    nameInText: "the App Store",
    isReadByLanguage: false,
    hasStorefronts: true,
  },
  googleplay: {
    name: "Google Play",
    nameInText: "Google Play",
    isReadByLanguage: true,
    hasStorefronts: true,
  },
  firefoxaddons: {
    name: "Firefox Add-ons",
    nameInText: "Firefox Add-ons",
    isReadByLanguage: false,
    hasStorefronts: false,
  },
};

export const storeIds = Object.keys(stores) as StoreId[];

const find = (store: string) => (store in stores ? stores[store as StoreId] : undefined);

export const storeName = (store: string): string => find(store)?.name ?? store;
export const storeNameInText = (store: StoreId): string => stores[store].nameInText;
export const storeColour = (store: StoreId): string =>
  `var(--chart-store-${storeIds.indexOf(store) + 1})`;

/** Whether its reviews are read by language, and so have no country. */
export const isReadByLanguage = (store: string): boolean => find(store)?.isReadByLanguage ?? false;

export const hasStorefronts = (store: string): boolean => find(store)?.hasStorefronts ?? true;

/** The names for what its reviews are read by. */
export const readingUnit = (store: StoreId): string => {
  if (!hasStorefronts(store)) return "lists";
  return isReadByLanguage(store) ? "languages" : "storefronts";
};

/** Accounts that the API of a store is read through, and the files with their keys. */
export const accounts = {
  appstore: { name: "App Store Connect", keyFile: ".p8" },
  googleplay: { name: "Google Play Console", keyFile: "JSON" },
} as const satisfies Partial<Record<StoreId, { name: string; keyFile: string }>>;
export type AccountStore = keyof typeof accounts;
