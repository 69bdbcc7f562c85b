// The stores, and how they differ on the pages. A comparison with one store's id belongs here: a new store is one more entry.
import type { FollowedApp } from "../../../src/dashboard-api/contract/apps.ts";

export type StoreId = FollowedApp["store"];

type StoreTraits = {
  name: string;
  /** For sentences. */
  nameInText: string;
  /** The account that its API is read through, and the file with its key; null where it has none. */
  account: { name: string; key: ".p8" | "JSON" } | null;
  isReadByLanguage: boolean;
};

/** In the order of their colours in charts. */
const stores: Readonly<Record<StoreId, StoreTraits>> = {
  appstore: {
    name: "App Store",
    nameInText: "the App Store",
    account: { name: "App Store Connect", key: ".p8" },
    isReadByLanguage: false,
  },
  googleplay: {
    name: "Google Play",
    nameInText: "Google Play",
    account: { name: "Google Play Console", key: "JSON" },
    isReadByLanguage: true,
  },
};

export const storeIds = Object.keys(stores) as StoreId[];

const find = (store: string) => (store in stores ? stores[store as StoreId] : undefined);

export const storeName = (store: string): string => find(store)?.name ?? store;
export const storeNameInText = (store: StoreId): string => stores[store].nameInText;
export const accountOf = (store: StoreId): StoreTraits["account"] => stores[store].account;
/** The one that is chosen first for a new account. */
export const firstAccount: StoreId = "appstore";
export const storeColour = (store: StoreId): string =>
  `var(--chart-store-${storeIds.indexOf(store) + 1})`;

/** Whether its reviews are read by language, and so have no country. */
export const isReadByLanguage = (store: string): boolean => find(store)?.isReadByLanguage ?? false;

/** The names for what its reviews are read by. */
export const readingUnit = (store: StoreId): string =>
  isReadByLanguage(store) ? "languages" : "storefronts";
