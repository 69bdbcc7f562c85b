// A listing is one app in one store seen through one source; a workspace's app hangs on exactly one.
import type { StoreId } from "./store-id.ts";

export type Listing = {
  id: string;
  store: StoreId;
  /** Decimal id in the App Store, package name in Google Play. */
  externalAppId: string;
  /** null: public, shared by all workspaces that track it; else private to this workspace. */
  workspaceId: string | null;
  /** The workspace's own account that its reviews are read through; without one, the public pages. */
  credentialId?: string | null;
};

/** An app as a workspace sees it: its own row, and the facts of its listing. */
export type App = {
  id: string;
  workspaceId: string;
  listingId: string;
  name: string;
  store: StoreId;
  externalAppId: string;
  /** URL; "" until the store told it. */
  iconUrl: string;
  /** Storefronts and languages that this workspace follows. */
  countries: string[];
  languages: string[];
  addedAt: Date;
};

/** Storefronts a new App Store app follows unless others are chosen. */
export const defaultCountries = "us gb ca au de fr es it jp br".split(" ");
/** Languages a new Google Play app follows unless others are chosen. */
export const defaultLanguages = "en es pt de fr it ja ko ru id".split(" ");
